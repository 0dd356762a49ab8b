import type { ReactNode } from 'react'
import type { ReadState } from '#src/kit/data.ts'
import { Inspector } from '#src/kit/inspector.tsx'
import { Unanswered } from '#src/kit/states.tsx'

/** The file of the case on which the eye rests, beside the list; a file of another case waits. */
export const FileBeside = <Case extends { row: { id: number } }>({
  of: { data, error, refetch },
  shown,
  children,
}: {
  of: ReadState<Case>
  shown: number | undefined
  children: (of: Case) => ReactNode
}) => {
  if (shown === undefined) return <Inspector title={undefined} />
  if (data !== undefined && data.row.id === shown) return children(data)
  return <Unanswered of={{ error, refetch }} lines={14} />
}
