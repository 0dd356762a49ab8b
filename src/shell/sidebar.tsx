import {
  Box,
  Chart,
  ChevronDown,
  ChevronRight,
  Cog,
  CreditCard,
  Document,
  Endorsed,
  Film,
  Home,
  People,
  Search,
  Shop,
  ShoppingCart,
} from '@blueprintjs/icons'
import {
  memo,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type ComponentType,
  type ReactNode,
  type RefObject,
} from 'react'
import type { Page, Section } from '#commands/command.ts'
import { sections } from '#commands/contents.ts'
import { help, home as homePage } from '#commands/pages/home.ts'
import { searchMenu } from '#commands/shell.ts'
import { useRead } from '#src/kit/data.ts'
import { useSetting } from '#src/kit/memory.ts'
import { titleIn, useLang, useSay } from '#src/kit/text.ts'
import { session as calls } from '#src/modules/session/contract.ts'
import { pathOf } from './address.ts'
import { useDesk } from './desk.ts'
import { keysFor, keySettings } from './keys/bound.ts'
import { keyLabel } from './keys/strokes.ts'
import { activeEntry, allOf, inWorkOrder, sectionOf, type MenuNode } from './menu-order.ts'
import { plain } from './palette/plain.ts'
import { recentPaths } from './places.ts'
import { keepAs, menuPlace, pageAt } from './registry.ts'
import { useAppSelector } from './store.ts'
import { Count, useWaiting, type Waiting } from './waiting.tsx'

/** The workbench home stands above the server's menu, for everybody. */
const homeNode: MenuNode = { id: 0, title: homePage.title, redirect: homePage.path, children: [] }
/** The help stands below the menu, and is an entry of its own for whoever reads it. */
const helpNode: MenuNode = { id: -1, title: help.title, redirect: help.path, children: [] }

type EntryProps = {
  node: Pick<MenuNode, 'redirect'>
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

const icons: Readonly<Record<NonNullable<Section['icon']>, ComponentType<{ size: number }>>> = {
  home: Home,
  check: Endorsed,
  order: ShoppingCart,
  shop: Shop,
  setup: Cog,
  people: People,
  chart: Chart,
  gift: Box,
  money: CreditCard,
  film: Film,
  file: Document,
}
const GroupIcon = ({ node }: { node: MenuNode }) => {
  const Icon = icons[sectionOf(node)?.icon ?? 'file']
  return <Icon size={14} />
}

/** Pages that are at hand above the modules. */
const PINS = 6
const RECENT = 4
/**
 * What a person pinned, and where they were last. While the pointer or the focus is in the menu the
 * list stands still.
 */
const useAtHand = (at: string, held: RefObject<boolean>) => {
  const desk = useDesk()
  const { data: me } = useRead(calls.me, {})
  const last = useRef<{ pinned: string[]; recent: string[] }>({ pinned: [], recent: [] })
  return useMemo(() => {
    const known = (path: string) => {
      const page = pageAt(path)
      return page !== undefined && page !== homePage && desk.me.can(page.permit)
    }
    const pinned = (me?.settings.pinned_paths ?? []).filter(known).slice(0, PINS)
    const recent = held.current ? last.current.recent : recentPaths(desk.me.account).filter(known)
    last.current = { pinned, recent }
    return { pinned, recent: recent.filter(path => !pinned.includes(path)).slice(0, RECENT) }
  }, [desk, me, held, at])
}
const AtHand = ({ title, paths }: { title: string; paths: readonly string[] }) => {
  const now = useLang()
  if (paths.length === 0) return null
  return (
    <section className="s-menu-hand" aria-label={title}>
      <h3>{title}</h3>
      {paths.map(path => {
        const page = pageAt(path)!
        return (
          <Entry
            key={path}
            node={{ redirect: path }}
            title={titleIn(page, now)}
            page={page}
            depth={1}
            current={false}
            waits={undefined}
          />
        )
      })}
    </section>
  )
}

/** The server's titles are Chinese; a page that the registry knows has its other name there. */
const useTitleOf = () => {
  const now = useLang()
  return (node: MenuNode): string => {
    if (now !== 'en') return node.title
    const page = node.redirect ? pageAt(node.redirect) : undefined
    return page
      ? titleIn(page, now)
      : (sections.find(section => section.title === node.title)?.en ?? node.title)
  }
}
type TreeProps = {
  nodes: readonly MenuNode[]
  depth?: number
  active: MenuNode | undefined
  waits: Waiting
  /** Whether a group shows what is in it. */
  isOpen: (node: MenuNode) => boolean
  fits: (node: MenuNode) => boolean
  toggle: (node: MenuNode) => void
}
/** Modules with their pages below them; shut, a module tells what waits in it. */
const MenuTree = ({ nodes, depth = 0, ...shared }: TreeProps): ReactNode => {
  const titleOf = useTitleOf()
  const { active, waits, isOpen, fits, toggle } = shared
  const waitsBelow = (node: MenuNode) =>
    allOf(node.children).reduce(
      (sum, one) => {
        const of = waits.get(pathOf(one.redirect))
        return of ? { count: sum.count + of.count, over_sla: sum.over_sla + of.over_sla } : sum
      },
      { count: 0, over_sla: 0 },
    )
  return (
    <ul>
      {nodes.filter(fits).map(node => {
        const title = titleOf(node)
        if (node.redirect === '') {
          const open = isOpen(node)
          return (
            <li key={node.id}>
              <button
                type="button"
                className="s-menu-group"
                aria-expanded={open}
                onClick={() => toggle(node)}
                style={{ paddingLeft: 8 + depth * 12 }}
              >
                {depth === 0 && <GroupIcon node={node} />}
                <span className="m-ellipsis">{title}</span>
                {!open && <Count of={waitsBelow(node)} />}
                {open ? <ChevronDown size={12} /> : <ChevronRight size={12} />}
              </button>
              {open && <MenuTree {...shared} nodes={node.children} depth={depth + 1} />}
            </li>
          )
        }
        return (
          <li key={node.id}>
            <Entry
              node={node}
              title={title}
              page={pageAt(node.redirect)}
              depth={depth}
              current={node === active}
              waits={waits.get(pathOf(node.redirect))}
            />
            {node.children.length > 0 && (
              <MenuTree {...shared} nodes={node.children} depth={depth + 1} />
            )}
          </li>
        )
      })}
    </ul>
  )
}

/** The menu as the server gives it to this person, in the order of their work. */
const useMenu = () => {
  const { data: menu, error, refetch } = useRead(calls.menu, {})
  const data = useMemo(() => menu && [homeNode, ...inWorkOrder(menu)], [menu])
  useEffect(() => {
    if (menu)
      keepAs(
        new Map(
          allOf(menu).flatMap(node =>
            node.keep_alive === undefined ? [] : [[node.redirect, node.keep_alive] as const],
          ),
        ),
      )
  }, [menu])
  return { data, error, refetch }
}
/**
 * Which groups are open: the one with the active entry, the first where none has it, and what the
 * person opened or shut.
 */
const useOpenGroups = (data: readonly MenuNode[] | undefined, active: MenuNode | undefined) => {
  const [chosen, setChosen] = useState<ReadonlyMap<number, boolean>>(new Map())
  const holds = (node: MenuNode) => active !== undefined && allOf([node]).includes(active)
  const groups = data?.filter(node => node.redirect === '') ?? []
  const first = groups.some(holds) ? undefined : groups[0]
  const isOpen = (node: MenuNode) => chosen.get(node.id) ?? (holds(node) || node === first)
  const toggle = (node: MenuNode) => {
    const open = isOpen(node)
    setChosen(before => new Map(before).set(node.id, !open))
  }
  // Whoever goes to a page of a group that they shut sees where they are.
  useEffect(() => {
    if (active)
      setChosen(
        before =>
          new Map(
            [...before].filter(
              ([id, open]) => open || !groups.some(one => one.id === id && holds(one)),
            ),
          ),
      )
  }, [active])
  return { isOpen, toggle }
}

/** The left menu as the server gives it to this person. */
export const Sidebar = memo(() => {
  const desk = useDesk()
  const say = useSay()
  const titleOf = useTitleOf()
  const { data, error, refetch } = useMenu()
  const at = useAppSelector(state => state.workspace.byId[state.workspace.focused ?? '']?.at ?? '')
  const waits = useWaiting()
  const [typed, setTyped] = useState('')
  const search = useRef<HTMLInputElement>(null)
  const box = useRef<HTMLDivElement>(null)
  const held = useRef(false)
  useEffect(() => desk.global(searchMenu.id, () => search.current?.focus()), [desk])
  const active = useMemo(
    () => (data ? activeEntry([...data, helpNode], menuPlace(at)) : undefined),
    [data, at],
  )
  const { pinned, recent } = useAtHand(at, held)
  const { isOpen, toggle } = useOpenGroups(data, active)
  useEffect(() => {
    box.current?.querySelector('[aria-current]')?.scrollIntoView?.({ block: 'nearest' })
  }, [active])
  const wanted = plain(typed)
  const fits = (node: MenuNode): boolean =>
    wanted === '' ||
    plain(node.title).includes(wanted) ||
    plain(titleOf(node)).includes(wanted) ||
    node.redirect.toLowerCase().includes(wanted) ||
    node.children.some(fits)
  const hold = (on: boolean) => () => {
    held.current = on
  }
  return (
    <nav
      className="s-sidebar"
      aria-label={say(['主菜单', 'Main menu'])}
      onPointerEnter={hold(true)}
      onPointerLeave={hold(false)}
      onFocus={hold(true)}
      onBlur={hold(false)}
    >
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
                ? allOf(data ?? []).find(node => node.redirect && fits({ ...node, children: [] }))
                : undefined
            if (first) {
              desk.visit(first.redirect)
              setTyped('')
            }
          }}
        />
      </label>
      <div className="s-menu" ref={box}>
        {data && wanted === '' && (
          <>
            <AtHand title={say(['固定', 'Pinned'])} paths={pinned} />
            <AtHand title={say(['最近', 'Recent'])} paths={recent} />
          </>
        )}
        {data && (
          <MenuTree
            nodes={data}
            active={active}
            waits={waits}
            isOpen={node => wanted !== '' || isOpen(node)}
            fits={fits}
            toggle={toggle}
          />
        )}
        {!data && error && (
          <p>
            {error.message}{' '}
            <button type="button" className="s-plain" onClick={refetch}>
              {say(['重试', 'Retry'])}
            </button>
          </p>
        )}
        {data && wanted !== '' && !data.some(fits) && (
          <p>{say(['没有匹配的菜单', 'No entry matches'])}</p>
        )}
      </div>
      <footer className="s-menu-foot">
        <Entry
          node={helpNode}
          title={say([help.title, help.en])}
          page={help}
          depth={1}
          current={active === helpNode}
          waits={undefined}
        />
      </footer>
    </nav>
  )
})
Sidebar.displayName = 'Sidebar'
