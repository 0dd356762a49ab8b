/** A board of two columns: what could be put somewhere, and what stands there in its order. */
import { InputGroup } from '@blueprintjs/core'
import { Search } from '@blueprintjs/icons'
import { useDeferredValue, useState, type ReactNode } from 'react'
import type { Read } from '#src/contract/call.ts'
import { Column } from './board-columns.tsx'
import type { Flag } from './board-rows.tsx'
import { sourceOf, useRead, type CallError } from './data.ts'
import { Thumb } from './image.tsx'
import { Shelf, usePaging } from './shelf.tsx'
import { Failed } from './states.tsx'
import './pool.css'

/**
 * A board with its name and toolbar above it; `failed` stands in its place where it can’t be read.
 */
export const BoardPage = ({
  title,
  aside,
  toolbar,
  failed,
  children,
}: {
  title: string | undefined
  aside?: ReactNode
  toolbar: ReactNode
  failed?: { error: CallError; retry: () => void } | undefined
  children: ReactNode
}) => (
  <div className="m-boardpage">
    <header>
      <h2>{title ?? ' '}</h2>
      {aside}
    </header>
    {toolbar}
    {failed ? <Failed {...failed} /> : <div className="m-boardpage-body">{children}</div>}
  </div>
)
/** A row of a board: its picture, its name, and facts of it. */
export const BoardLine = ({
  image,
  name,
  children,
}: {
  image: string
  name: string
  children: ReactNode
}) => (
  <div className="m-boardline">
    <Thumb of={image} />
    <div>
      <div className="m-boardline-name" title={name}>
        {name}
      </div>
      <div className="m-boardline-meta">{children}</div>
    </div>
  </div>
)

const CANDIDATES = 50
type Listed<Row> = { list: Row[]; total: number; capped?: boolean | undefined }
/**
 * What could be put on a board, by words and page by page. `input` is what the read is asked
 * besides.
 */
export const Pool = <Row extends { id: number }>({
  name,
  title,
  placeholder,
  call,
  input,
  bar,
  ...rows
}: {
  name: string
  title: string
  placeholder: string
  call: Read<any, any, Listed<Row>>
  input: object
  /** Further filters. */
  bar?: ReactNode
  labelOf: (row: Row) => string
  row: (row: Row) => ReactNode
  flags: (row: Row) => readonly Flag[]
  dim: (row: Row) => boolean
  empty: ReactNode
}) => {
  const [typed, setTyped] = useState('')
  const keyword = useDeferredValue(typed.trim())
  const { turn, ...page } = usePaging(JSON.stringify([input, keyword]), CANDIDATES)
  const free = useRead(call, { ...input, ...page, ...(keyword && { keyword }) })
  return (
    <Column
      name="shelf"
      title={title}
      aside={<span className="m-muted m-num">{free.data?.total ?? ''}</span>}
      bar={
        <>
          <InputGroup
            size="small"
            leftIcon={<Search />}
            placeholder={placeholder}
            aria-label={placeholder}
            value={typed}
            maxLength={40}
            onValueChange={setTyped}
          />
          {bar}
        </>
      }
    >
      <Shelf<Row>
        name={name}
        label={title}
        of={sourceOf(free)}
        paging={{ ...page, turn, total: free.data?.total }}
        {...rows}
      />
    </Column>
  )
}
