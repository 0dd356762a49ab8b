import type { ReactNode } from 'react'
import type { GridRow } from './grid-draft.ts'
import type { GridSheetProps } from './grid-state.ts'
import { loadable } from './loadable.tsx'
import { Loading } from './states.tsx'

// The table beneath it weighs as much as many pages: its code and its styles come when it is opened.
const Sheet = loadable(async () => (await import('./grid-sheet.tsx')).GridSheet, <Loading />)
/** `GridSheet`, fetched when it is first shown. */
export const gridSheet = <Row extends GridRow>(props: GridSheetProps<Row>): ReactNode => (
  <Sheet {...(props as unknown as GridSheetProps<GridRow>)} />
)
