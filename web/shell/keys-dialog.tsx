import { Dialog } from "../parts/dialog.js";
import { isHelpOpen, keySections } from "./keys.js";

export function KeysDialog() {
  if (!isHelpOpen.value) return null;
  return (
    <Dialog title="Keys" close={() => (isHelpOpen.value = false)}>
      <KeyList />
    </Dialog>
  );
}

export function KeyList() {
  return (
    <div class="key-list">
      {keySections.map(({ title, keys }) => (
        <section key={title}>
          <h3>{title}</h3>
          <dl>
            {keys.map(({ keys: each, about }) => (
              <div key={about}>
                <dt>
                  {each.map((key) => (
                    <kbd key={key}>{key}</kbd>
                  ))}
                </dt>
                <dd>{about}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </div>
  );
}
