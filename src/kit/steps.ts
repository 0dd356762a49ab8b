type Pressed = { key: string }
const down: Readonly<Record<string, 1 | -1>> = { ArrowDown: 1, ArrowUp: -1 }
const right: Readonly<Record<string, 1 | -1>> = { ArrowRight: 1, ArrowLeft: -1 }
/** How many lines down an arrow key goes; 0 of any other key. */
export const stepDown = ({ key }: Pressed): -1 | 0 | 1 => down[key] ?? 0
/** How many places to the right an arrow key goes; 0 of any other key. */
export const stepRight = ({ key }: Pressed): -1 | 0 | 1 => right[key] ?? 0
