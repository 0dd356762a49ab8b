import { Button, InputGroup } from '@blueprintjs/core'
import { ChevronDown, ChevronRight, CollapseAll, ExpandAll, Search } from '@blueprintjs/icons'
import { useVirtualizer } from '@tanstack/react-virtual'
import {
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
  type DragEvent,
  type KeyboardEvent,
  type ReactNode,
} from 'react'
import { listNext, listPrevious, listSearch, listSelect } from '#commands/list.ts'
import { childrenOf, placeOf, type Move } from '#src/domain/tree.ts'
import { FirstFocus } from './focus.ts'
import { usePaneState } from './memory.ts'
import { usePrinting } from './printing.ts'
import { useSay } from './text.ts'
import { useAction } from './workbench.ts'
import './tree.css'

type Key = string | number
/**
 * A node by its key; nodes of one parent stand in the order given. Keys of a tree whose nodes move
 * are numbers.
 */
export type TreeNode = { key: Key; parent: Key | null }
type Ticks = {
  /** The leaves that are ticked; a branch is ticked, partly ticked or not by what is below it. */
  on: ReadonlySet<Key>
  change: (leaves: Key[], on: boolean) => void
  /** Why a leaf can't be ticked or freed, if so. */
  locked?: (leaf: Key) => string | undefined
}
type Props<N extends TreeNode> = {
  /** What its open branches are kept under in the pane. */
  name: string
  label: string
  nodes: readonly N[]
  /** The node in words: searched, and read out. */
  wordsOf: (node: N) => string
  /** How it is drawn; its words unless said otherwise. */
  draw?: (node: N) => ReactNode
  focused: Key | undefined
  onFocus: (key: Key) => void
  onOpen?: (node: N) => void
  ticks?: Ticks
  /** Puts a node under a parent as child number `at`: by Alt and the arrows, or dragged there. */
  onPlace?: (node: N, parent: number | null, at: number) => void
  /** Levels that are open at first. */
  levels?: number
  /**
   * Letters go to the node whose words begin so: where no keys of a page want them, in a dialog.
   */
  typeahead?: boolean
  /**
   * A list beside it has the list keys (j, k, x, /) and the focus first: this tree goes by arrows
   * only.
   */
  beside?: boolean
  /** Controls beside the search. */
  bar?: ReactNode
  /** What stands above the rows, such as the titles of what each tells. */
  head?: ReactNode
}
/** Where on a row something is dropped: near an edge it goes beside it, else into it. */
const placeAt = (share: number): 'before' | 'in' | 'after' => {
  if (share < 0.3) return 'before'
  return share > 0.7 ? 'after' : 'in'
}
const ROW = 30
const PAUSE_MS = 700
const moves: Readonly<Record<string, Move>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowRight: 'in',
  ArrowLeft: 'out',
}
type Shape<N> = {
  children: Map<Key | null, N[]>
  byKey: Map<Key, N>
  level: Map<Key, number>
  leaves: Map<Key, Key[]>
}
const shapeOf = <N extends TreeNode>(nodes: readonly N[]): Shape<N> => {
  const children = new Map<Key | null, N[]>()
  const byKey = new Map(nodes.map(node => [node.key, node]))
  for (const node of nodes) {
    const above = node.parent !== null && byKey.has(node.parent) ? node.parent : null
    const beside = children.get(above)
    if (beside) beside.push(node)
    else children.set(above, [node])
  }
  const level = new Map<Key, number>()
  const leaves = new Map<Key, Key[]>()
  const walk = (node: N, at: number): Key[] => {
    level.set(node.key, at)
    const below = children.get(node.key) ?? []
    const found = below.length === 0 ? [node.key] : below.flatMap(child => walk(child, at + 1))
    leaves.set(node.key, found)
    return found
  }
  for (const top of children.get(null) ?? []) walk(top, 1)
  return { children, byKey, level, leaves }
}

const ListKeys = ({ step, search }: { step: (by: number) => void; search: () => void }) => {
  useAction(listNext, () => step(1))
  useAction(listPrevious, () => step(-1))
  useAction(listSearch, search)
  return null
}
const TickKey = ({ tick }: { tick: () => void }) => {
  useAction(listSelect, tick)
  return null
}

/**
 * A tree for work (the tree view pattern of the ARIA practices): one tab stop, arrows walk and
 * fold, Space ticks, `/` searches, Alt and the arrows move a node. Only what is in sight is drawn.
 */
export const Tree = <N extends TreeNode>({
  name,
  label,
  nodes,
  wordsOf,
  draw = wordsOf,
  focused,
  onFocus,
  onOpen,
  ticks,
  onPlace,
  levels = 2,
  typeahead = false,
  beside = false,
  bar,
  head,
}: Props<N>) => {
  const say = useSay()
  const base = useId()
  const box = useRef<HTMLDivElement>(null)
  const search = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = usePaneState(`tree:${name}:search`, '')
  const shape = useMemo(() => shapeOf(nodes), [nodes])
  // What the person folded or unfolded; the rest is as `levels` says.
  const [turned, setTurned] = usePaneState<readonly Key[]>(`tree:${name}:turned`, [])
  const turnedSet = useMemo(() => new Set(turned), [turned])
  const wanted = typed.trim().toLowerCase()
  const isOpen = (key: Key) =>
    wanted !== '' || (shape.level.get(key) ?? 1) < levels !== turnedSet.has(key)

  const { shown, fits } = useMemo(() => {
    const fit = new Set<Key>()
    if (wanted !== '') {
      const mark = (node: N, under: boolean): boolean => {
        const own = under || wordsOf(node).toLowerCase().includes(wanted)
        const below = (shape.children.get(node.key) ?? [])
          .map(child => mark(child, own))
          .includes(true)
        if (own || below) fit.add(node.key)
        return own || below
      }
      for (const top of shape.children.get(null) ?? []) mark(top, false)
    }
    const rows: N[] = []
    const walk = (parent: Key | null) => {
      for (const node of shape.children.get(parent) ?? []) {
        if (wanted !== '' && !fit.has(node.key)) continue
        rows.push(node)
        if (wanted !== '' || (shape.level.get(node.key) ?? 1) < levels !== turnedSet.has(node.key))
          walk(node.key)
      }
    }
    walk(null)
    return { shown: rows, fits: fit }
  }, [shape, wanted, turnedSet, levels, wordsOf])

  const at = shown.findIndex(node => node.key === focused)
  const virtual = useVirtualizer({
    count: shown.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW,
    overscan: 12,
    getItemKey: index => shown[index]!.key,
  })
  const lines = usePrinting()
    ? shown.map((_, index) => ({ index, start: ROW * index }))
    : virtual.getVirtualItems()
  useEffect(() => {
    if (at >= 0) virtual.scrollToIndex(at, { align: 'auto' })
  }, [at, virtual])
  // The node in focus is gone: the first one takes its place, so that keys always have a row.
  const lost = at < 0 && shown.length > 0 && (focused === undefined || !shape.byKey.has(focused))
  useEffect(() => {
    if (lost) onFocus(shown[0]!.key)
  }, [lost])

  const go = (index: number) => {
    const node = shown[Math.max(0, Math.min(shown.length - 1, index))]
    if (node) onFocus(node.key)
  }
  const turn = (key: Key) =>
    setTurned(turnedSet.has(key) ? turned.filter(one => one !== key) : [...turned, key])
  const openAll = (open: boolean) =>
    setTurned(
      [...shape.children.keys()].filter(
        (key): key is Key => key !== null && (shape.level.get(key) ?? 1) < levels !== open,
      ),
    )
  const hasBelow = (node: N) => (shape.children.get(node.key)?.length ?? 0) > 0
  /** Leaves that a tick of the node means: of a search, only those found. */
  const leavesOf = (key: Key) =>
    (shape.leaves.get(key) ?? []).filter(leaf => wanted === '' || fits.has(leaf))
  const tickOf = (key: Key): boolean | 'mixed' => {
    const all = shape.leaves.get(key) ?? []
    const on = all.filter(leaf => ticks!.on.has(leaf)).length
    return on === 0 || on === all.length ? on > 0 : 'mixed'
  }
  const tick = (node: N) => {
    if (!ticks) return
    const free = leavesOf(node.key).filter(leaf => !ticks.locked?.(leaf))
    if (free.length > 0) ticks.change(free, !free.every(leaf => ticks.on.has(leaf)))
  }
  const move = (node: N, how: Move) => {
    const rows = nodes.map((one, sort) => ({
      id: one.key as number,
      parent_id: one.parent as number | null,
      sort,
    }))
    const place = placeOf(rows, node.key as number, how)
    if (place && onPlace) onPlace(node, place.parent_id, place.at)
  }

  const begun = useRef({ text: '', at: 0 })
  const jump = (letter: string) => {
    const now = performance.now()
    begun.current = {
      text: (now - begun.current.at < PAUSE_MS ? begun.current.text : '') + letter.toLowerCase(),
      at: now,
    }
    const from = begun.current.text.length === 1 ? at + 1 : Math.max(0, at)
    const found = [...shown.slice(from), ...shown.slice(0, from)].find(node =>
      wordsOf(node).toLowerCase().startsWith(begun.current.text),
    )
    if (found) onFocus(found.key)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== box.current) return
    const node = shown[at]
    const done = () => {
      event.preventDefault()
      event.stopPropagation()
    }
    if (event.altKey) {
      if (onPlace && node && moves[event.key]) {
        done()
        move(node, moves[event.key]!)
      }
      return
    }
    if (event.ctrlKey || event.metaKey) return
    const page = Math.max(1, Math.floor((box.current?.clientHeight ?? 300) / ROW) - 1)
    const does: Record<string, () => void> = {
      ArrowDown: () => go(at + 1),
      ArrowUp: () => go(at - 1),
      Home: () => go(0),
      End: () => go(shown.length - 1),
      PageDown: () => go(at + page),
      PageUp: () => go(at - page),
      ArrowRight: () => {
        if (node && hasBelow(node)) {
          if (!isOpen(node.key)) turn(node.key)
          else go(at + 1)
        }
      },
      ArrowLeft: () => {
        if (node && hasBelow(node) && isOpen(node.key) && wanted === '') turn(node.key)
        else if (node?.parent !== null && node && shape.byKey.has(node.parent!))
          onFocus(node.parent!)
      },
      ' ': () => {
        if (node && ticks) tick(node)
        else if (node && onOpen) onOpen(node)
      },
      Enter: () => {
        if (node && onOpen) onOpen(node)
        else if (node && hasBelow(node)) turn(node.key)
      },
    }
    if (does[event.key]) {
      done()
      does[event.key]!()
    } else if (typeahead && event.key.length === 1) {
      done()
      jump(event.key)
    }
  }

  const [dragged, setDragged] = useState<Key | undefined>(undefined)
  const [over, setOver] = useState<{ key: Key; where: 'before' | 'in' | 'after' } | undefined>(
    undefined,
  )
  const onDragOver = (event: DragEvent, node: N) => {
    if (dragged === undefined || dragged === node.key) return
    event.preventDefault()
    const { top, height } = event.currentTarget.getBoundingClientRect()
    const where = placeAt((event.clientY - top) / height)
    if (over?.key !== node.key || over.where !== where) setOver({ key: node.key, where })
  }
  const drop = () => {
    const [from, to] = [
      dragged === undefined ? undefined : shape.byKey.get(dragged),
      over && shape.byKey.get(over.key),
    ]
    setDragged(undefined)
    setOver(undefined)
    if (!from || !to || !onPlace) return
    const rows = nodes.map((one, sort) => ({
      id: one.key as number,
      parent_id: one.parent as number | null,
      sort,
    }))
    if (over!.where === 'in') {
      onPlace(from, to.key as number, childrenOf(rows, to.key as number).length)
      return
    }
    const beside = childrenOf(rows, to.parent as number | null)
      .map(row => row.id)
      .filter(id => id !== from.key)
    onPlace(
      from,
      to.parent as number | null,
      beside.indexOf(to.key as number) + (over!.where === 'after' ? 1 : 0),
    )
  }

  return (
    <div className="m-tree-box">
      <FirstFocus ready={!beside && shown.length > 0} part={box} rows={box} />
      {!beside && <ListKeys step={by => go(at + by)} search={() => search.current?.focus()} />}
      {!beside && ticks && (
        <TickKey
          tick={() => {
            if (shown[at]) tick(shown[at])
          }}
        />
      )}
      <div className="m-filters" role="search">
        <InputGroup
          inputRef={search}
          size="small"
          leftIcon={<Search />}
          placeholder={say(['在树中查找', 'Search the tree'])}
          aria-label={say(['在树中查找', 'Search the tree'])}
          value={typed}
          maxLength={60}
          style={{ width: 168 }}
          onValueChange={setTyped}
          onKeyDown={event => {
            if (!['Escape', 'Enter', 'ArrowDown'].includes(event.key)) return
            event.preventDefault()
            event.stopPropagation()
            if (event.key === 'Escape') setTyped('')
            else if (shown.length > 0 && at < 0)
              onFocus(
                (shown.find(node => wordsOf(node).toLowerCase().includes(wanted)) ?? shown[0]!).key,
              )
            box.current?.focus()
          }}
        />
        <Button
          size="small"
          variant="minimal"
          icon={<ExpandAll />}
          aria-label={say(['全部展开', 'Open all'])}
          title={say(['全部展开', 'Open all'])}
          onClick={() => openAll(true)}
        />
        <Button
          size="small"
          variant="minimal"
          icon={<CollapseAll />}
          aria-label={say(['全部收起', 'Fold all'])}
          title={say(['全部收起', 'Fold all'])}
          onClick={() => openAll(false)}
        />
        {bar}
      </div>
      {head}
      <div
        ref={box}
        className="m-tree"
        role="tree"
        aria-label={label}
        tabIndex={0}
        aria-multiselectable={ticks ? true : undefined}
        aria-activedescendant={at >= 0 ? `${base}-${focused}` : undefined}
        onKeyDown={onKeyDown}
      >
        {shown.length === 0 && (
          <p className="m-muted m-tree-none">
            {wanted
              ? say(['没有匹配的节点', 'Nothing matches'])
              : say(['还没有节点', 'Nothing here yet'])}
          </p>
        )}
        <div
          role="presentation"
          className="m-tree-rows"
          style={{ height: virtual.getTotalSize(), position: 'relative' }}
        >
          {lines.map(item => {
            const node = shown[item.index]
            if (!node) return null
            const below = hasBelow(node)
            const open = below && isOpen(node.key)
            const level = shape.level.get(node.key) ?? 1
            const among =
              shape.children.get(
                node.parent !== null && shape.byKey.has(node.parent) ? node.parent : null,
              ) ?? []
            const ticked = ticks ? tickOf(node.key) : undefined
            const why = ticks && !below ? ticks.locked?.(node.key) : undefined
            return (
              <div
                key={node.key}
                id={`${base}-${node.key}`}
                role="treeitem"
                aria-label={wordsOf(node)}
                aria-level={level}
                aria-posinset={among.indexOf(node) + 1}
                aria-setsize={among.length}
                aria-expanded={below ? open : undefined}
                aria-selected={node.key === focused}
                aria-checked={ticked}
                aria-disabled={why ? true : undefined}
                title={why}
                className="m-tree-row"
                data-focused={node.key === focused || undefined}
                data-over={over?.key === node.key ? over.where : undefined}
                style={{
                  transform: `translateY(${item.start}px)`,
                  paddingLeft: 6 + (level - 1) * 18,
                }}
                draggable={onPlace ? true : undefined}
                onDragStart={() => setDragged(node.key)}
                onDragOver={event => onDragOver(event, node)}
                onDragEnd={() => {
                  setDragged(undefined)
                  setOver(undefined)
                }}
                onDrop={drop}
                onMouseDown={() => onFocus(node.key)}
                onDoubleClick={() => (onOpen ? onOpen(node) : below && turn(node.key))}
              >
                <span
                  className="m-tree-fold"
                  aria-hidden="true"
                  onMouseDown={event => {
                    if (below) {
                      event.stopPropagation()
                      onFocus(node.key)
                      turn(node.key)
                    }
                  }}
                  onDoubleClick={event => event.stopPropagation()}
                >
                  {below && (open ? <ChevronDown size={14} /> : <ChevronRight size={14} />)}
                </span>
                {ticks && (
                  <i
                    className="m-tree-tick"
                    data-tick={String(ticked)}
                    data-locked={why ? true : undefined}
                    aria-hidden="true"
                    onMouseDown={event => {
                      event.stopPropagation()
                      onFocus(node.key)
                      tick(node)
                    }}
                    onDoubleClick={event => event.stopPropagation()}
                  />
                )}
                <span className="m-tree-words">{draw(node)}</span>
              </div>
            )
          })}
        </div>
      </div>
    </div>
  )
}
