import type { JSX } from "preact";
import type { Address } from "../core/address";
export function GraphPage({ address }: { address: Address }): JSX.Element {
  return <p>{address.group}</p>;
}
