// Windows above the page. The browser's own dialog keeps the focus inside and gives it back.
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { Problem, memoryChanged } from "../core/service";
import { tell } from "./toast";

export function Dialog(props: { title: string; class?: string; onClose: () => void; children: ComponentChildren }): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  const title = useId();
  useEffect(() => {
    const element = dialog.current!;
    const opener = document.activeElement as HTMLElement | null;
    if (!element.open) element.showModal();
    return () => opener?.focus?.();
  }, []);
  return (
    <dialog
      ref={dialog}
      class={props.class}
      aria-labelledby={title}
      onClose={props.onClose}
      onClick={(event) => event.target === dialog.current && props.onClose()}
    >
      <h2 id={title}>{props.title}</h2>
      {props.children}
    </dialog>
  );
}

export interface Doing<T> {
  /** What the button says: the act itself, such as "Withdraw". */
  verb: string;
  bad?: boolean;
  act: () => Promise<T>;
  /** What is said afterwards, and how it is taken back; without undo it cannot be. */
  done: string | ((result: T) => string);
  undo?: (result: T) => Promise<unknown>;
  /** Where the reader is taken afterwards. */
  then?: (result: T) => void;
  ready?: boolean;
}

/** Confirm asks before something is changed, does it, says that it is done and offers to take it back. */
export function Confirm<T>(props: { title: string; doing: Doing<T>; onClose: () => void; children: ComponentChildren }): JSX.Element {
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState("");
  const outdated = useRef(false);
  const { doing } = props;
  const close = () => {
    props.onClose();
    if (outdated.current) memoryChanged();
  };
  const submit = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    setRefused("");
    let result: T;
    try {
      result = await doing.act();
    } catch (error) {
      outdated.current = error instanceof Problem && error.status === 412;
      setRefused(outdated.current ? "Somebody changed it in the meantime, or another window did. Nothing was done: close this and look again." : error instanceof Problem ? error.message : String(error));
      setBusy(false);
      return;
    }
    props.onClose();
    const { undo } = doing;
    tell(typeof doing.done === "string" ? doing.done : doing.done(result), undo && (() => undo(result)));
    doing.then?.(result);
    memoryChanged();
  };
  return (
    <Dialog title={props.title} onClose={close}>
      <form onSubmit={submit}>
        {props.children}
        {refused && (
          <p class="problem field" role="alert">
            {refused}
          </p>
        )}
        <div class="actions">
          <button type="button" class="button" onClick={close}>
            Cancel
          </button>
          <button type="submit" class={doing.bad ? "button main bad" : "button main"} disabled={busy || doing.ready === false}>
            {busy ? "One moment …" : doing.verb}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
