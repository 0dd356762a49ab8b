import { halfWidth } from '../keys/strokes.ts'

/**
 * What a person typed, as it is compared: half-width, lower case, without spaces and the marks an
 * input method puts between syllables.
 */
export const plain = (text: string): string =>
  halfWidth(text.normalize('NFKC'))
    .toLowerCase()
    // An input method has v for it.
    .replaceAll('ü', 'v')
    .replace(/[\s'’`·\-_/,.:()（）&]+/g, '')
