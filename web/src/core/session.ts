// Who is signed in. The key lives in this tab alone and goes with each request as a header: no cookie, nothing in the address.
import { useEffect, useState } from "preact/hooks";

const slot = "annals.key";
const listeners = new Set<() => void>();

export interface Who {
  rights: string;
  readOnly: boolean;
  mayErase: boolean;
  allGroups: boolean;
  groups: string[];
  authority: string;
  version: string;
  reader: string;
  model: boolean;
}

let who: Who | null = null;
/** Why nobody is signed in any more, where the service said so. */
let farewell = "";

export function key(): string {
  return sessionStorage.getItem(slot) ?? "";
}

export function signIn(secret: string): void {
  sessionStorage.setItem(slot, secret);
  farewell = "";
  tell();
}

export function signOut(told = ""): void {
  sessionStorage.removeItem(slot);
  who = null;
  farewell = told;
  tell();
}

export function setWho(found: Who): void {
  who = found;
  tell();
}

function tell(): void {
  for (const listen of [...listeners]) listen();
}

export function useSession(): { key: string; who: Who | null; farewell: string } {
  const [session, set] = useState({ key: key(), who, farewell });
  useEffect(() => {
    const listen = () => set({ key: key(), who, farewell });
    listeners.add(listen);
    return () => void listeners.delete(listen);
  }, []);
  return session;
}

/** mayWrite tells whether buttons that change the memory are shown; the service refuses them anyway. */
export function mayWrite(): boolean {
  return who !== null && !who.readOnly;
}

export function mayErase(): boolean {
  return who !== null && who.mayErase;
}
