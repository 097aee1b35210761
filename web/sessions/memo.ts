// A part that is drawn again only if its properties changed.

import { Component, type ComponentChild, type FunctionComponent } from "preact";

export function memo<Props extends object>(draw: (props: Props) => ComponentChild): FunctionComponent<Props> {
  class Memo extends Component<Props> {
    override shouldComponentUpdate(next: Props): boolean {
      const names = Object.keys(next) as (keyof Props)[];
      return names.some((name) => next[name] !== this.props[name]);
    }
    override render() {
      return draw(this.props as Props);
    }
  }
  return Memo as unknown as FunctionComponent<Props>;
}
