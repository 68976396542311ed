// "As SQL": each view shows the query that gives the same in psql, ready to be copied.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Dialog } from "./dialog";

export function SqlButton({ query }: { query: string }): JSX.Element {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" class="button small" onClick={() => setOpen(true)}>
        SQL
      </button>
      {open && <SqlDialog query={query} onClose={() => setOpen(false)} />}
    </>
  );
}

function SqlDialog({ query, onClose }: { query: string; onClose: () => void }): JSX.Element {
  const [copied, setCopied] = useState("");
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(query);
      setCopied("Copied.");
    } catch {
      setCopied("The browser does not allow it: select the text and copy it.");
    }
  };
  return (
    <Dialog title="The same in psql" class="sql" onClose={onClose}>
      <p class="soft">
        <code class="mono">psql "$ANNALS_DATABASE_URL"</code>
      </p>
      <pre tabIndex={0}>
        <code data-sql>{query}</code>
      </pre>
      <div class="actions">
        <span role="status" class="soft">
          {copied}
        </span>
        <button type="button" class="button" onClick={onClose}>
          Close
        </button>
        <button type="button" class="button main" onClick={copy}>
          Copy
        </button>
      </div>
    </Dialog>
  );
}
