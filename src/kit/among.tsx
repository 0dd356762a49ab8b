import { Button, InputGroup, PopoverNext } from '@blueprintjs/core'
import { CaretDown, Cross } from '@blueprintjs/icons'
import { useEffect, useId, useState } from 'react'
import type { Read } from '#src/contract/call.ts'
import { skipToken, useRead } from './data.ts'
import { usePaneState } from './memory.ts'
import { useSay } from './text.ts'
import type { ListState } from './uselist.ts'

type Props = { of: ListState<any>; by: string; label: string; find: Read; labelOf: (row: any) => string; given?: object }
/** A filter by one row of many: typing finds it (name, account, pinyin), Enter takes it. `find` takes `{ keyword, page, pageSize }` and `given`. */
export const Among = ({ of, by, label, find, labelOf, given }: Props) => {
  const say = useSay()
  const id = useId()
  const asked = (of.input as Record<string, unknown>)[by] as number | undefined
  const [open, setOpen] = useState(false)
  const [typed, setTyped] = useState('')
  const [keyword, setKeyword] = useState('')
  const [at, setAt] = useState(0)
  const [named, setNamed] = usePaneState<{ id: number; name: string } | undefined>(`among:${by}`, undefined)
  useEffect(() => { const timer = setTimeout(() => setKeyword(typed.trim()), 150); return () => clearTimeout(timer) }, [typed])
  const { data, isFetching } = useRead(find, open ? { keyword: keyword || undefined, page: 1, pageSize: 20, ...given } : skipToken)
  const rows = (data as { list: { id: number }[] } | undefined)?.list ?? []
  const take = (row: { id: number } | undefined) => {
    if (!row) return
    setNamed({ id: row.id, name: labelOf(row) })
    of.filter({ [by]: row.id })
    setOpen(false)
  }
  return (
    <span className="m-among">
      <PopoverNext isOpen={open} onInteraction={setOpen} placement="bottom-start" onOpening={() => { setTyped(''); setAt(0) }} content={
        <div className="m-among-body">
          <InputGroup size="small" autoFocus role="combobox" aria-expanded aria-controls={`${id}-list`} aria-activedescendant={rows[at] ? `${id}-${rows[at].id}` : undefined} aria-label={label} autoComplete="off" value={typed}
            placeholder={say(['输入名称或拼音', 'Name or pinyin'])} onValueChange={next => { setTyped(next); setAt(0) }}
            onKeyDown={event => {
              if (event.nativeEvent.isComposing) return
              if (event.key === 'ArrowDown' || event.key === 'ArrowUp') setAt(Math.max(0, Math.min(rows.length - 1, at + (event.key === 'ArrowDown' ? 1 : -1))))
              else if (event.key === 'Enter') take(rows[at])
              else return
              event.preventDefault()
              event.stopPropagation()
            }} />
          <div className="m-choices" role="listbox" id={`${id}-list`} aria-label={label} aria-busy={isFetching}>
            {rows.map((row, i) => <div key={row.id} id={`${id}-${row.id}`} role="option" aria-selected={row.id === asked} data-pointed={i === at || undefined} onClick={() => take(row)}>{labelOf(row)}</div>)}
            {rows.length === 0 && <div className="m-muted" style={{ padding: '4px 8px' }}>{isFetching ? say(['查找中…', 'Searching…']) : say(['没有匹配', 'No match'])}</div>}
          </div>
        </div>}>
        <Button size="small" variant="outlined" endIcon={<CaretDown />} active={asked !== undefined} onClick={() => setOpen(!open)}>{asked === undefined ? label : `${label}: ${named?.id === asked ? named.name : `#${asked}`}`}</Button>
      </PopoverNext>
      {asked !== undefined && <Button size="small" variant="minimal" icon={<Cross />} aria-label={say(['清除{label}', 'Clear {label}'], { label })} onClick={() => of.filter({ [by]: undefined })} />}
    </span>
  )
}
