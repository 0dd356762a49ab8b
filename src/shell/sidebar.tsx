import { ChevronDown, ChevronRight, Search } from '@blueprintjs/icons'
import { memo, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { Page } from '#commands/command.ts'
import { sections } from '#commands/contents.ts'
import { home as homePage } from '#commands/pages/home.ts'
import { searchMenu } from '#commands/shell.ts'
import type { Result } from '#src/contract/call.ts'
import { countText } from '#src/domain/count.ts'
import { useRead } from '#src/kit/data.ts'
import { useSetting } from '#src/kit/memory.ts'
import { titleIn, useLang, useSay } from '#src/kit/text.ts'
import { home } from '#src/modules/home/contract.ts'
import { session as calls } from '#src/modules/session/contract.ts'
import { pathOf, tidy } from './address.ts'
import { useDesk } from './desk.ts'
import { keysFor, keySettings } from './keys/bound.ts'
import { keyLabel } from './keys/strokes.ts'
import { plain } from './palette/plain.ts'
import { keepAs, pageAt } from './registry.ts'
import { useAppSelector } from './store.ts'

type Node = Result<typeof calls.menu>[number]
/** The workbench home stands above the server's menu, for everybody. */
const homeNode: Node = { id: 0, title: homePage.title, redirect: homePage.path, children: [] }
const all = (nodes: readonly Node[]): Node[] => nodes.flatMap(node => [node, ...all(node.children)])
/**
 * The menu entry of an address: its path, shortened part by part until one matches (specification,
 * section 2).
 */
export const activeEntry = (nodes: readonly Node[], at: string): Node | undefined => {
  const entries = new Map(
    all(nodes).flatMap(node =>
      node.redirect ? [[pathOf(tidy(node.redirect)).toLowerCase(), node] as const] : [],
    ),
  )
  for (
    let path = pathOf(tidy(at)).toLowerCase();
    path !== '';
    path = path.slice(0, path.lastIndexOf('/'))
  ) {
    const found = entries.get(path)
    if (found) return found
  }
  return undefined
}

const EVERY_MS = 30_000
/**
 * What waits behind each page, by its path: as fresh as its list, for the same changes fetch both;
 * lateness comes with time alone.
 */
export const useWaiting = (): ReadonlyMap<string, { count: number; over_sla: number }> => {
  const { data, refetch } = useRead(home.waiting, {})
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) refetch()
    }, EVERY_MS)
    return () => clearInterval(timer)
  }, [refetch])
  return useMemo(() => new Map(data?.list.map(one => [one.path, one])), [data])
}
const Count = ({ of }: { of: { count: number; over_sla: number } | undefined }) => {
  const say = useSay()
  if (!of || of.count === 0) return null
  return (
    <span
      className="s-count m-num"
      data-late={of.over_sla > 0 || undefined}
      title={
        of.over_sla > 0
          ? say(['待处理 {n}，其中超时 {late}', '{n} waiting, {late} late'], {
              n: of.count,
              late: of.over_sla,
            })
          : say(['待处理 {n}', '{n} waiting'], { n: of.count })
      }
    >
      {of.over_sla > 0 && '▲'}
      {countText(of.count)}
    </span>
  )
}

type EntryProps = {
  node: Node
  title: string
  page: Page | undefined
  depth: number
  current: boolean
  waits: { count: number; over_sla: number } | undefined
}
/**
 * One page of the menu; of the many only those are drawn that a step from pane to pane concerns.
 */
const Entry = memo(({ node, title, page, depth, current, waits }: EntryProps) => {
  const desk = useDesk()
  useSetting(keySettings)
  const keys = page && keysFor(page)
  return (
    <a
      href={node.redirect}
      className="s-menu-entry"
      data-command={page?.path}
      aria-current={current ? 'page' : undefined}
      style={{ paddingLeft: 26 + Math.max(0, depth - 1) * 12 }}
      onClick={event => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return
        event.preventDefault()
        if (event.altKey) desk.open(node.redirect, 'beside')
        else desk.visit(node.redirect)
      }}
    >
      <span className="m-ellipsis" title={title}>
        {title}
      </span>
      <Count of={waits} />
      {keys && <kbd aria-hidden="true">{keyLabel(keys)}</kbd>}
    </a>
  )
})
Entry.displayName = 'Entry'

/** Closes the menu while the window is narrow, as at 300 % zoom; it can be opened over that. */
export const useFoldedMenu = (show: (open: boolean) => void) =>
  useLayoutEffect(() => {
    const narrow = matchMedia('(max-width: 640px)')
    const fold = () => {
      if (narrow.matches) show(false)
    }
    fold()
    narrow.addEventListener('change', fold)
    return () => narrow.removeEventListener('change', fold)
  }, [show])

/** The left menu as the server gives it to this person. */
export const Sidebar = memo(() => {
  const desk = useDesk()
  const say = useSay()
  const now = useLang()
  const { data: menu, error, refetch } = useRead(calls.menu, {})
  const data = useMemo(() => menu && [homeNode, ...menu], [menu])
  useEffect(() => {
    if (menu)
      keepAs(
        new Map(
          all(menu).flatMap(node =>
            node.keep_alive === undefined ? [] : [[node.redirect, node.keep_alive] as const],
          ),
        ),
      )
  }, [menu])
  const at = useAppSelector(state => state.workspace.byId[state.workspace.focused ?? '']?.at ?? '')
  const [typed, setTyped] = useState('')
  const [shut, setShut] = useState<ReadonlySet<number>>(new Set())
  const search = useRef<HTMLInputElement>(null)
  useEffect(() => desk.global(searchMenu.id, () => search.current?.focus()), [desk])
  const active = useMemo(() => (data ? activeEntry(data, at) : undefined), [data, at])
  // The server's titles are Chinese; a page that the registry knows has its other name there.
  const titleOf = (node: Node): string => {
    if (now !== 'en') return node.title
    const page = node.redirect ? pageAt(node.redirect) : undefined
    return page
      ? titleIn(page, now)
      : (sections.find(section => section.title === node.title)?.en ?? node.title)
  }
  const wanted = plain(typed)
  const fits = (node: Node): boolean =>
    wanted === '' ||
    plain(node.title).includes(wanted) ||
    plain(titleOf(node)).includes(wanted) ||
    node.redirect.toLowerCase().includes(wanted) ||
    node.children.some(fits)
  const toggle = (id: number) =>
    setShut(before => {
      const next = new Set(before)
      if (!next.delete(id)) next.add(id)
      return next
    })
  const waits = useWaiting()
  const draw = (nodes: readonly Node[], depth: number) => (
    <ul>
      {nodes.filter(fits).map(node => {
        const title = titleOf(node)
        const open = wanted !== '' || !shut.has(node.id)
        if (node.redirect === '') {
          return (
            <li key={node.id}>
              <button
                type="button"
                className="s-menu-group"
                aria-expanded={open}
                onClick={() => toggle(node.id)}
                style={{ paddingLeft: 8 + depth * 12 }}
              >
                {open ? <ChevronDown size={12} /> : <ChevronRight size={12} />}
                {title}
              </button>
              {open && draw(node.children, depth + 1)}
            </li>
          )
        }
        const page = node.redirect ? pageAt(node.redirect) : undefined
        return (
          <li key={node.id}>
            <Entry
              node={node}
              title={title}
              page={page}
              depth={depth}
              current={node === active}
              waits={waits.get(pathOf(node.redirect))}
            />
            {node.children.length > 0 && draw(node.children, depth + 1)}
          </li>
        )
      })}
    </ul>
  )
  return (
    <nav className="s-sidebar" aria-label={say(['主菜单', 'Main menu'])}>
      <label className="s-menu-search">
        <Search size={14} />
        <input
          ref={search}
          type="search"
          value={typed}
          onChange={event => setTyped(event.target.value)}
          placeholder={say(['搜索菜单', 'Search the menu'])}
          aria-label={say(['搜索菜单', 'Search the menu'])}
          onKeyDown={event => {
            if (event.key === 'Escape') {
              setTyped('')
              event.currentTarget.blur()
            }
            const first =
              event.key === 'Enter'
                ? all(data ?? []).find(node => node.redirect && fits({ ...node, children: [] }))
                : undefined
            if (first) {
              desk.visit(first.redirect)
              setTyped('')
            }
          }}
        />
      </label>
      <div className="s-menu">
        {data ? (
          draw(data, 0)
        ) : error ? (
          <p>
            {error.message}{' '}
            <button type="button" className="s-plain" onClick={refetch}>
              {say(['重试', 'Retry'])}
            </button>
          </p>
        ) : null}
        {data && wanted !== '' && !data.some(fits) && (
          <p>{say(['没有匹配的菜单', 'No entry matches'])}</p>
        )}
      </div>
    </nav>
  )
})
Sidebar.displayName = 'Sidebar'
