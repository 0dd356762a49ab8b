import type { ReactNode } from 'react'
import type { Text } from '#src/domain/text.ts'

/** A state of a part; the gallery draws it in a pane of its own. */
export type State = {
  name: Text
  /**
   * Draws it where it stands. `close` takes a layer away again: a dialog or a drawer, which stands
   * over all else, is drawn when its button is pressed.
   */
  draw: (close: () => void) => ReactNode
  layer?: true
  /** Pixels, for a part that fills what it is given. */
  height?: number
}
/** A part of the kit in all its states; one file each, found by its name. */
export type Specimen = {
  /** Its name in code, by which the list is ordered. */
  part: string
  title: Text
  states: readonly State[]
}

const files = import.meta.glob<{ specimen: Specimen }>('./specimens/*.specimen.tsx', {
  eager: true,
})
/** Every specimen, by the alphabet. */
export const specimens: readonly Specimen[] = Object.values(files)
  .map(file => file.specimen)
  .sort((a, b) => a.part.localeCompare(b.part))
