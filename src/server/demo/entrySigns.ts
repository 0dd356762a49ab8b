type Sign = readonly [colour: string, shapes: string]
/** Icons of a home's entries by what they lead to: a sign of 64 by 64 on a coloured square. */
export const entrySigns = {
  food: [
    '#c2410c',
    '<path d="M24 16v32M18 16v10a6 6 0 0 0 12 0V16M42 48V16c-5 2-7 8-7 14h7" fill="none"/>',
  ],
  group: [
    '#b4235a',
    '<circle cx="24" cy="24" r="5"/><circle cx="42" cy="24" r="5"/><path d="M14 46c0-8 4-11 10-11s9 3 9 11M36 36c8-2 14 1 14 10" fill="none"/>',
  ],
  flash: ['#b45309', '<path d="M35 14 22 35h9l-3 15 14-22h-9z"/>'],
  coupon: [
    '#a21caf',
    '<path d="M14 22h36v7a4 4 0 0 0 0 8v7H14v-7a4 4 0 0 0 0-8zM36 26v14" fill="none"/>',
  ],
  vip: ['#8a5a12', '<path d="M16 44h32l3-22-10 8-9-14-9 14-10-8z"/>'],
  points: ['#0f766e', '<circle cx="32" cy="32" r="16" fill="none"/><path d="M32 24v16M24 32h16"/>'],
  sign: [
    '#1d6fb8',
    '<rect x="16" y="19" width="32" height="28" rx="3" fill="none"/><path d="M24 14v8M40 14v8M24 34l6 6 10-11" fill="none"/>',
  ],
  near: [
    '#2f7d5d',
    '<path d="M32 50C22 38 18 32 18 27a14 14 0 0 1 28 0c0 5-4 11-14 23z" fill="none"/><circle cx="32" cy="27" r="4"/>',
  ],
  mall: ['#5b4bb0', '<path d="M16 26h32l-3 22H19zM24 26v-4a8 8 0 0 1 16 0v4" fill="none"/>'],
  live: [
    '#be123c',
    '<rect x="14" y="22" width="24" height="22" rx="4" fill="none"/><path d="M38 30l12-6v18l-12-6z"/>',
  ],
  park: ['#2b5fb4', '<path d="M26 46V18h10a8 8 0 0 1 0 16H26" fill="none"/>'],
  film: [
    '#334155',
    '<rect x="14" y="18" width="36" height="28" rx="3" fill="none"/><path d="M22 18v28M42 18v28M14 32h8M42 32h8" fill="none"/>',
  ],
} as const satisfies Readonly<Record<string, Sign>>
export type EntrySign = keyof typeof entrySigns
export const entrySign = (name: EntrySign): string => `demo/entry-${name}.png`
