import { useId } from "preact/hooks";
import { Icon } from "../parts/icon.js";
import { theme, themes } from "./theme.js";

const names = { system: "As the system", light: "Light", dark: "Dark" } as const;

export function ThemeSwitch() {
  // Two switches on one page are two groups.
  const group = useId();
  return (
    <fieldset class="theme-switch">
      <legend class="unseen">Colours</legend>
      {themes.map((each) => (
        <label key={each} title={names[each]}>
          <input
            class="unseen"
            type="radio"
            name={group}
            checked={theme.value === each}
            onChange={() => (theme.value = each)}
          />
          <Icon name={each} />
          <span class="unseen">{names[each]}</span>
        </label>
      ))}
    </fieldset>
  );
}
