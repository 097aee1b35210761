// Lets xterm work under a content policy without inline styles.
//
// xterm writes rules into <style> elements and colours into style attributes, and the policy blocks both. While a
// terminal is open, the document makes elements that put the rules into a constructed style sheet and the attributes
// into the style property. The policy allows these two.

let users = 0;

/** Returns the function that ends it. */
export function useStrictElements(): () => void {
  if (users++ === 0) document.createElement = strictElement as typeof document.createElement;
  return () => {
    // The method of the prototype is visible again.
    if (--users === 0) delete (document as Partial<Document>).createElement;
  };
}

function strictElement(name: string, options?: ElementCreationOptions): HTMLElement {
  // Even an empty <style> is a violation.
  if (name === "style") return ruleHolder();
  const element = Document.prototype.createElement.call(document, name, options);
  if (name === "span") element.setAttribute = setStrictAttribute;
  return element;
}

function setStrictAttribute(this: HTMLElement, name: string, value: string): void {
  if (name === "style") this.style.cssText = value;
  else Element.prototype.setAttribute.call(this, name, value);
}

/** In the place of a <style>: its text is the text of a style sheet for as long as it is in use. */
function ruleHolder(): HTMLElement {
  const element = Document.prototype.createElement.call(document, "template");
  const sheet = new CSSStyleSheet();
  let text = "";
  document.adoptedStyleSheets.push(sheet);
  return Object.defineProperties(element, {
    textContent: {
      get: () => text,
      set(value: string) {
        text = value;
        sheet.replaceSync(value);
      },
    },
    remove: {
      value() {
        document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== sheet);
        Element.prototype.remove.call(element);
      },
    },
  });
}
