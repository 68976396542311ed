import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Problem, ask } from "../core/service";
import { key, signIn, signOut } from "../core/session";

/** exchangeCode signs in by the one-time code of a link that annals explore opened, and takes it out of the address. */
export async function exchangeCode(): Promise<string> {
  const code = /^#code=(.+)$/.exec(window.location.hash)?.[1];
  if (!code) return "";
  history.replaceState(null, "", window.location.pathname + window.location.search);
  try {
    const answer = await ask<{ key: string }>("POST", "/explore/sign-in", { body: { code: decodeURIComponent(code) } });
    signIn(answer.key);
    return "";
  } catch (error) {
    return error instanceof Problem ? error.message : String(error);
  }
}

export function SignIn({ problem }: { problem: string }): JSX.Element {
  const [secret, setSecret] = useState("");
  const [refused, setRefused] = useState(problem);
  const [busy, setBusy] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    document.title = "Sign in · Annals";
    field.current?.focus();
  }, []);
  const submit = async (event: Event) => {
    event.preventDefault();
    // A header holds no other characters; a browser would only say that it failed.
    if (!/^[\x21-\x7e]+$/.test(secret.trim())) {
      setRefused("The service does not know this key.");
      return;
    }
    setBusy(true);
    signOut();
    sessionStorage.setItem("annals.key", secret.trim());
    try {
      await ask("GET", "/v1/whoami");
      signIn(secret.trim());
    } catch (error) {
      if (key()) signOut();
      setRefused(error instanceof Problem && error.status === 401 ? "The service does not know this key." : error instanceof Problem ? error.message : String(error));
      setBusy(false);
    }
  };
  return (
    <main class="sign-in">
      <form onSubmit={submit}>
        <h1>Annals</h1>
        <p class="soft">Look at a memory, and put it right.</p>
        <label for="key">API key</label>
        <input
          id="key"
          ref={field}
          type="password"
          autocomplete="off"
          required
          aria-describedby="key-help"
          value={secret}
          onInput={(event) => setSecret(event.currentTarget.value)}
        />
        <button type="submit" class="button main" disabled={busy || secret.trim() === ""}>
          Sign in
        </button>
        {refused && (
          <p class="problem field" role="alert">
            {refused}
          </p>
        )}
        <p id="key-help" class="soft field">
          <code class="mono">annals keys create</code> makes a key; <code class="mono">annals explore</code> signs you in without one. The key stays in this tab
          and is forgotten when it is closed.
        </p>
      </form>
    </main>
  );
}
