import { Button, InputGroup } from '@blueprintjs/core'
import { CaretDown, Cross } from '@blueprintjs/icons'
import { useEffect, useId, useState } from 'react'
import type { Read } from '#src/contract/call.ts'
import { searchable } from '#src/domain/search.ts'
import type { Text, Lang } from '#src/domain/text.ts'
import { skipToken, useRead } from './data.ts'
import { failedLook, FoundNone, type FailedLook } from './found-none.tsx'
import { usePaneState } from './memory.ts'
import { Popover } from './popover.tsx'
import { byName, useSay, useLang } from './text.ts'
import type { Filtered } from './uselist.ts'

type Row = { id: number | string; name: string }
type Props = { of: Filtered; by: string; label: string }
/** The line to type in, where it is open. */
const useLine = () => {
  const [open, setOpen] = useState(false)
  const [typed, setTyped] = useState('')
  return { open, setOpen, typed, setTyped }
}
/**
 * A filter by one of many: a button that opens a line, and the rows that are found by what is typed
 * in it.
 */
const Finder = ({
  of,
  by,
  label,
  words,
  line: { open, setOpen, typed, setTyped },
  rows,
  searching = false,
  failed,
  named,
  onTake,
}: Props & {
  /** What a row is found by. */ words: string
  line: ReturnType<typeof useLine>
  rows: readonly Row[]
  searching?: boolean
  failed?: FailedLook | undefined
  named: (id: number | string) => string | undefined
  onTake?: (row: Row) => void
}) => {
  const say = useSay()
  const id = useId()
  const asked = (of.input as Record<string, unknown>)[by] as number | string | undefined
  const [at, setAt] = useState(0)
  const take = (row: Row | undefined) => {
    if (!row) return
    onTake?.(row)
    of.filter({ [by]: row.id })
    setOpen(false)
  }
  return (
    <span className="m-among">
      <Popover
        isOpen={open}
        show={setOpen}
        placement="bottom-start"
        onOpening={() => {
          setTyped('')
          setAt(0)
        }}
        content={
          <div className="m-among-body">
            <InputGroup
              size="small"
              autoFocus
              role="combobox"
              aria-expanded
              aria-controls={`${id}-list`}
              aria-activedescendant={rows[at] ? `${id}-${rows[at].id}` : undefined}
              aria-label={label}
              autoComplete="off"
              value={typed}
              placeholder={say(['{label}：输入{words}', '{label}: {words}'], { label, words })}
              onValueChange={next => {
                setTyped(next)
                setAt(0)
              }}
              onKeyDown={event => {
                if (event.key === 'ArrowDown' || event.key === 'ArrowUp')
                  setAt(
                    Math.max(
                      0,
                      Math.min(rows.length - 1, at + (event.key === 'ArrowDown' ? 1 : -1)),
                    ),
                  )
                else if (event.key === 'Enter') take(rows[at])
                else return
                event.preventDefault()
                event.stopPropagation()
              }}
            />
            <div
              className="m-choices"
              role="listbox"
              id={`${id}-list`}
              aria-label={label}
              aria-busy={searching}
            >
              {rows.map((row, i) => (
                <div
                  key={row.id}
                  id={`${id}-${row.id}`}
                  role="option"
                  aria-selected={row.id === asked}
                  data-pointed={i === at || undefined}
                  onClick={() => take(row)}
                >
                  {row.name}
                </div>
              ))}
              {rows.length === 0 && <FoundNone pending={searching} failed={failed} />}
            </div>
          </div>
        }
      >
        <Button
          size="small"
          variant="outlined"
          endIcon={<CaretDown />}
          active={asked !== undefined}
          onClick={() => setOpen(!open)}
        >
          {asked === undefined ? label : `${label}: ${named(asked) ?? `#${asked}`}`}
        </Button>
      </Popover>
      {asked !== undefined && (
        <Button
          size="small"
          variant="minimal"
          icon={<Cross />}
          aria-label={say(['清除{label}', 'Clear {label}'], { label })}
          onClick={() => of.filter({ [by]: undefined })}
        />
      )}
    </span>
  )
}

const MOST = 20
/**
 * A filter by one row of many: typing finds it by its name, or by what `words` say; Enter takes it.
 * `find` takes `{ keyword, page, pageSize }` and `given`.
 */
export const Among = ({
  find,
  labelOf,
  given,
  words = byName(find),
  ...of
}: Props & {
  find: Read
  labelOf: (row: any, lang: Lang) => string
  given?: object
  words?: Text
}) => {
  const say = useSay()
  const now = useLang()
  const line = useLine()
  const [keyword, setKeyword] = useState('')
  const [taken, setTaken] = usePaneState<Row | undefined>(`among:${of.by}`, undefined)
  useEffect(() => {
    const timer = setTimeout(() => setKeyword(line.typed.trim()), 150)
    return () => clearTimeout(timer)
  }, [line.typed])
  const read = useRead(
    find,
    line.open ? { keyword: keyword || undefined, page: 1, pageSize: MOST, ...given } : skipToken,
  )
  const failed = failedLook(read)
  const told = failed ? undefined : (read.data as { list: { id: number }[] } | undefined)
  const rows = (told?.list ?? []).map(row => ({
    id: row.id,
    name: labelOf(row, now),
  }))
  return (
    <Finder
      {...of}
      words={say(words)}
      line={line}
      rows={rows}
      searching={read.isFetching}
      failed={failed}
      named={id => (taken?.id === id ? taken.name : undefined)}
      onTake={setTaken}
    />
  )
}
export type Option = { value: string | number; label: string; /** Its pinyin. */ latin?: string }
/** A filter by one of more options than one reads through, found by what is typed. */
export const AmongOptions = ({ options, ...of }: Props & { options: readonly Option[] }) => {
  const say = useSay()
  const line = useLine()
  const typed = searchable(line.typed).split(' ')
  const rows = line.open
    ? options
        .filter(({ label, latin = '' }) => {
          const text = `${searchable(label)} ${latin}`
          return typed.every(word => text.includes(word))
        })
        .slice(0, MOST)
        .map(({ value, label }) => ({ id: value, name: label }))
    : []
  return (
    <Finder
      {...of}
      words={say(['名称或拼音', 'name or pinyin'])}
      line={line}
      rows={rows}
      named={id => options.find(one => one.value === id)?.label}
    />
  )
}
