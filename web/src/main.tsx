import { render } from "preact";
import "./style/base.css";
import "./style/shell.css";
import "./style/parts.css";
import "./style/views.css";
import "./style/graph.css";
import "./style/lab.css";
import "./style/times.css";
import { App } from "./app";
import { followLinks } from "./core/address";
import { followKeys } from "./core/keys";
import { applyTheme } from "./core/theme";
import { followAddress } from "./time/times";

applyTheme();
followLinks();
followAddress();
followKeys();
render(<App />, document.getElementById("page")!);
