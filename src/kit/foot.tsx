import { Button, HTMLSelect } from '@blueprintjs/core'
import { ChevronLeft, ChevronRight } from '@blueprintjs/icons'
import { useEffect, useState, type KeyboardEvent } from 'react'
import { listNextPage, listPreviousPage } from '#commands/list.ts'
import { backToRows } from './filters.tsx'
import { SelectedBar } from './selected-bar.tsx'
import { useSay } from './text.ts'
import type { ListState } from './uselist.ts'

/** The page a typed number means, or undefined where it means none. */
const pageTyped = (typed: string, pages: number): number | undefined => {
  const digits = typed.normalize('NFKC').trim()
  return /^\d+$/.test(digits) ? Math.max(1, Math.min(pages, Number(digits))) : undefined
}
/** Which page is shown of how many; a number typed over it and Enter go there. */
export const PageJump = ({
  page,
  pages,
  go,
}: {
  page: number
  pages: number
  go: (page: number) => void
}) => {
  const say = useSay()
  const [typed, setTyped] = useState(String(page))
  useEffect(() => setTyped(String(page)), [page])
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key !== 'Enter' && event.key !== 'Escape') return
    event.preventDefault()
    event.stopPropagation()
    const to = event.key === 'Enter' ? pageTyped(typed, pages) : undefined
    setTyped(String(to ?? page))
    if (to !== undefined && to !== page) go(to)
    backToRows(event.currentTarget)
  }
  const title = say(['输入页码，按回车跳转', 'Type a page and press Enter'])
  return (
    <span className="m-num m-page-jump">
      <input
        inputMode="numeric"
        aria-label={say(['页码，共 {n} 页', 'Page, of {n}'], { n: pages })}
        title={title}
        value={typed}
        maxLength={6}
        style={{ width: `${Math.max(2, typed.length) + 2}ch` }}
        disabled={pages <= 1}
        onChange={event => setTyped(event.target.value)}
        onFocus={event => event.target.select()}
        onBlur={() => setTyped(String(page))}
        onKeyDown={onKeyDown}
      />
      {' / '}
      {pages}
    </span>
  )
}

/** The foot of a list: what is selected or how many there are, and the page that is shown. */
export const ListFoot = <Row,>({ of }: { of: ListState<Row> }) => {
  const say = useSay()
  const page = of.input.page ?? 1
  const pageSize = of.input.pageSize ?? 50
  return (
    <div className="m-foot">
      <SelectedBar of={of} />
      {/* What was not read is not none. */}
      <span className="m-num">
        {of.loaded &&
          say(['共 {n} 条', '{n} total'], {
            n: of.capped ? `${of.total.toLocaleString()}+` : of.total.toLocaleString(),
          })}
      </span>
      {of.behind !== undefined && (
        <span role="status">
          {say(
            ['第 {n} 页已没有内容，现在是最后一页', 'Page {n} is now empty; this is the last page'],
            {
              n: of.behind,
            },
          )}
        </span>
      )}
      <span className="m-fill" />
      <HTMLSelect
        minimal
        aria-label={say(['每页条数', 'Rows per page'])}
        value={pageSize}
        onChange={event => of.filter({ pageSize: event.target.value })}
        options={[20, 50, 100, 200].map(n => ({
          value: n,
          label: say(['{n} 条/页', '{n} per page'], { n }),
        }))}
      />
      <Button
        size="small"
        variant="minimal"
        icon={<ChevronLeft />}
        disabled={page <= 1}
        aria-label={say(['上一页', 'Previous page'])}
        data-command={listPreviousPage.id}
        onClick={() => of.goPage(page - 1)}
      />
      <PageJump page={page} pages={of.pages} go={of.goPage} />
      <Button
        size="small"
        variant="minimal"
        icon={<ChevronRight />}
        disabled={page >= of.pages}
        aria-label={say(['下一页', 'Next page'])}
        data-command={listNextPage.id}
        onClick={() => of.goPage(page + 1)}
      />
    </div>
  )
}
