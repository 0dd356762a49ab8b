import { createAction, createSlice, type PayloadAction, type UnknownAction } from '@reduxjs/toolkit'
import { CHANNELS } from '#src/areas/workbench/layout.ts'
import type { Layout } from '#src/areas/workbench/layout.ts'
import { HOME, tidy } from '../address.ts'
import {
  addTab,
  divide,
  equalise,
  isTree,
  leaves,
  move,
  neighbour,
  normal,
  placeTab,
  remove,
  renamed,
  resize,
  show,
  split,
  swap,
  type Direction,
  type Divider,
  type PaneId,
  type Tree,
} from './tree.ts'

/** What pages of one path keep in a pane; small, serialisable. */
type Memo = Record<string, unknown>
export type PaneState = {
  at: string
  back: string[]
  forward: string[]
  /** Grows with every move that the browser's history records. */
  moves: number
  /** Page path → where it was left, for pages that are kept alive. */
  kept: Record<string, string>
  /** Page path → what it keeps. */
  memo: Record<string, Memo>
  /** Linked panes follow the row of the one in front of them. */
  channel?: number
  /** A tab that stands first and is spared when others are closed. */
  pinned?: true
  /** Page path → how often it was drawn anew. */
  drawn?: Record<string, number>
}
/** The saved layout that a workspace stands on: what it is compared with, and put back to. */
export type SavedAs = {
  id: number
  version: number
  name: string
  kind: 'mine' | 'team' | 'role'
  may_change: boolean
  state: Layout
}
/**
 * A workspace as it was before its layout changed; `by` names changes that are one with the next of
 * their kind, such as the steps of a drag.
 */
type Before = Pick<Workspace, 'tree' | 'byId' | 'focused' | 'maximised' | 'saved'> & {
  by?: string | undefined
}
export type Workspace = {
  tree: Tree | null
  byId: Record<PaneId, PaneState>
  focused: PaneId | null
  maximised: PaneId | null
  next: number
  saved?: SavedAs | undefined
  /** What undo and redo of the layout go back to, the nearest last. Not kept through a reload. */
  past: readonly Before[]
  future: readonly Before[]
  /** Where a drag began. */
  dragged?: Before | undefined
}
const HISTORY = 50
/** Changes of the layout that can be taken back. */
export const UNDO_MAX = 30
const MEMOS = 16

export const fresh = (at: string): PaneState => ({
  at: tidy(at),
  back: [],
  forward: [],
  moves: 0,
  kept: {},
  memo: {},
})
/** One pane, showing `at`. */
export const single = (at: string): Workspace => ({
  tree: 'p1',
  byId: { p1: fresh(at) },
  focused: 'p1',
  maximised: null,
  next: 2,
  past: [],
  future: [],
})

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const texts = (value: unknown): string[] =>
  Array.isArray(value)
    ? value.filter((entry): entry is string => typeof entry === 'string').slice(-HISTORY)
    : []
const isChannel = (value: unknown): value is number => CHANNELS.some(channel => channel === value)
const isSavedAs = (value: unknown): value is SavedAs =>
  isRecord(value) &&
  Number.isInteger(value.id) &&
  Number.isInteger(value.version) &&
  typeof value.name === 'string' &&
  isRecord(value.state) &&
  Array.isArray(value.state.panes)
/** A stored workspace made whole again; null when nothing in it can be used. */
export const revive = (value: unknown): Workspace | null => {
  if (!isRecord(value) || !isTree(value.tree) || !isRecord(value.byId)) return null
  const ids = leaves(value.tree)
  const byId: Record<PaneId, PaneState> = {}
  for (const id of ids) {
    const pane = Object.hasOwn(value.byId, id) ? value.byId[id] : undefined
    if (!isRecord(pane) || typeof pane.at !== 'string') return null
    byId[id] = {
      at: tidy(pane.at),
      back: texts(pane.back),
      forward: texts(pane.forward),
      moves: 0,
      kept: isRecord(pane.kept)
        ? Object.fromEntries(
            Object.entries(pane.kept).filter(
              (entry): entry is [string, string] => typeof entry[1] === 'string',
            ),
          )
        : {},
      memo: isRecord(pane.memo)
        ? Object.fromEntries(
            Object.entries(pane.memo).filter((entry): entry is [string, Memo] =>
              isRecord(entry[1]),
            ),
          )
        : {},
      ...(isChannel(pane.channel) && { channel: pane.channel }),
      ...(pane.pinned === true && { pinned: true }),
    }
  }
  const known = (id: unknown): PaneId | null =>
    typeof id === 'string' && Object.hasOwn(byId, id) ? id : null
  const highest = Math.max(0, ...ids.map(id => Number(/^p(\d+)$/.exec(id)?.[1] ?? 0)))
  return {
    tree: normal(value.tree),
    byId,
    focused: known(value.focused) ?? ids[0]!,
    maximised: known(value.maximised),
    next: highest + 1,
    past: [],
    future: [],
    ...(isSavedAs(value.saved) && { saved: value.saved }),
  }
}

type At = { pane: PaneId; at: string }
/** Whether the page left behind is kept alive: then where it stood is remembered under its path. */
type Leaving = { leaving?: string | undefined }

const focus = (state: Workspace, id: PaneId | null) => {
  if (id === null || !Object.hasOwn(state.byId, id)) return
  state.focused = id
  if (state.tree) state.tree = show(state.tree, id)
  if (state.maximised !== null) state.maximised = id
}
const add = (state: Workspace, at: string): PaneId => {
  const id = `p${state.next}`
  state.next += 1
  state.byId[id] = fresh(at)
  return id
}
const leave = (pane: PaneState, leaving: string | undefined) => {
  if (!leaving) return
  const { [leaving]: _, ...others } = pane.kept
  pane.kept = {
    ...Object.fromEntries(Object.entries(others).slice(-MEMOS + 1)),
    [leaving]: pane.at,
  }
}

/** The tab behind this one in its group, else the one before it. */
const besideTab = (tree: Tree, id: PaneId): PaneId | undefined => {
  const group = groupOf(tree, id)
  const place = group?.indexOf(id) ?? -1
  return group?.[place + 1] ?? group?.[place - 1]
}
/** How many tabs of a group are pinned: they stand before the others. */
const pinnedIn = (state: Workspace, group: readonly PaneId[]): number =>
  group.filter(id => state.byId[id]?.pinned).length
/** Takes a pane away; its neighbour gets the focus, and the last one leaves the workbench. */
const take = (state: Workspace, id: PaneId) => {
  if (!Object.hasOwn(state.byId, id)) return
  const near = state.tree
    ? (besideTab(state.tree, id) ??
      neighbour(state.tree, id, 'left') ??
      neighbour(state.tree, id, 'up'))
    : undefined
  state.tree = remove(state.tree, id)
  delete state.byId[id]
  if (state.maximised === id) state.maximised = null
  const rest = leaves(state.tree)
  if (rest.length === 0) {
    state.tree = add(state, HOME)
    state.focused = state.tree
  } else if (state.focused === id) focus(state, near ?? rest[0]!)
}
/** After places were exchanged, the focused pane must still be the one seen of its group. */
const keepSeen = (state: Workspace) => {
  if (state.tree && state.focused) state.tree = show(state.tree, state.focused)
}

const slice = createSlice({
  name: 'workspace',
  initialState: single(HOME),
  reducers: {
    /** Takes a whole workspace: the stored one, or another person's. */
    restored: (_, { payload }: PayloadAction<Workspace>) => payload,
    /**
     * Puts a layout in the place of what stands: its panes are new ones, so that the old ones can
     * come back as they were.
     */
    laid(state, { payload: { tree, byId, focused, maximised, saved } }: PayloadAction<Workspace>) {
      const fresh = Object.fromEntries(leaves(tree).map((id, i) => [id, `p${state.next + i}`]))
      const known = (id: PaneId | null) => (id === null ? null : (fresh[id] ?? null))
      Object.assign(state, {
        tree: tree && renamed(tree, id => fresh[id]!),
        byId: Object.fromEntries(Object.entries(byId).map(([id, pane]) => [fresh[id], pane])),
        focused: known(focused),
        maximised: known(maximised),
        next: state.next + leaves(tree).length,
        saved,
      })
    },
    /** Which saved layout this is from now on. */
    savedAs(state, { payload }: PayloadAction<SavedAs | undefined>) {
      state.saved = payload
    },
    /**
     * Panes that were in another window come to stand beside the focused one, which keeps the
     * focus.
     */
    returned(state, { payload }: PayloadAction<readonly PaneState[]>) {
      let beside = state.focused ?? leaves(state.tree).at(-1)
      payload.forEach((pane, i) => {
        const id = `p${state.next}`
        state.next += 1
        state.byId[id] = pane
        if (state.tree === null || beside === undefined) state.tree = id
        else if (i === 0) state.tree = split(state.tree, beside, id, 'right')
        else state.tree = addTab(state.tree, beside, id)
        beside = id
      })
      state.maximised = null
      state.focused ??= beside ?? null
    },
    /**
     * A page that a pane keeps behind the one shown, or a frozen one, is let go of with all it
     * remembers.
     */
    freed(state, { payload: { pane: id, page } }: PayloadAction<{ pane: PaneId; page: string }>) {
      const pane = state.byId[id]
      if (!pane) return
      delete pane.kept[page]
      delete pane.memo[page]
    },
    /** Shows an address in a pane. */
    went(
      state,
      {
        payload: { pane: id, at, replace, leaving },
      }: PayloadAction<At & Leaving & { replace?: boolean | undefined }>,
    ) {
      const pane = state.byId[id]
      const to = tidy(at)
      if (!pane || pane.at === to) return
      leave(pane, leaving)
      if (!replace) {
        pane.back = [...pane.back, pane.at].slice(-HISTORY)
        pane.forward = []
        pane.moves += 1
      }
      pane.at = to
    },
    /** A page that is kept behind another one moves on there, unseen. */
    keptAt(state, { payload: { pane: id, page, at } }: PayloadAction<At & { page: string }>) {
      const pane = state.byId[id]
      if (pane && Object.hasOwn(pane.kept, page)) pane.kept[page] = tidy(at)
    },
    wentBack(state, { payload: { pane: id, leaving } }: PayloadAction<{ pane: PaneId } & Leaving>) {
      const pane = state.byId[id]
      const to = pane?.back.pop()
      if (!pane || to === undefined) return
      leave(pane, leaving)
      pane.forward.push(pane.at)
      pane.at = to
    },
    wentForward(
      state,
      { payload: { pane: id, leaving } }: PayloadAction<{ pane: PaneId } & Leaving>,
    ) {
      const pane = state.byId[id]
      const to = pane?.forward.pop()
      if (!pane || to === undefined) return
      leave(pane, leaving)
      pane.back.push(pane.at)
      pane.at = to
    },
    remembered(
      state,
      {
        payload: { pane: id, page, key, value },
      }: PayloadAction<{ pane: PaneId; page: string; key: string; value: unknown }>,
    ) {
      const pane = state.byId[id]
      if (!pane) return
      const { [page]: memo = {}, ...others } = pane.memo
      const rest = Object.entries(others).slice(-MEMOS + 1)
      pane.memo = { ...Object.fromEntries(rest), [page]: { ...memo, [key]: value } }
    },
    focused: (state, { payload }: PayloadAction<PaneId>) => focus(state, payload),
    focusedBeside(state, { payload }: PayloadAction<Direction>) {
      if (state.focused) focus(state, neighbour(state.tree, state.focused, payload) ?? null)
    },
    focusedNext(state, { payload: step }: PayloadAction<1 | -1>) {
      const ids = leaves(state.tree)
      if (state.focused)
        focus(state, ids[(ids.indexOf(state.focused) + step + ids.length) % ids.length] ?? null)
    },
    /** Another tab of the focused pane's group. */
    tabbed(state, { payload: step }: PayloadAction<1 | -1>) {
      const group = state.focused && state.tree ? groupOf(state.tree, state.focused) : undefined
      if (group)
        focus(
          state,
          group[(group.indexOf(state.focused!) + step + group.length) % group.length] ?? null,
        )
    },
    /** Puts a tab at another place among those that are pinned as it is. */
    tabPlaced(state, { payload: { pane, to } }: PayloadAction<{ pane: PaneId; to: number }>) {
      const group = state.tree ? groupOf(state.tree, pane) : undefined
      if (!state.tree || !group) return
      const pinned = pinnedIn(state, group)
      const [low, high] = state.byId[pane]?.pinned ? [0, pinned - 1] : [pinned, group.length - 1]
      state.tree = placeTab(state.tree, pane, Math.min(high, Math.max(low, to)))
    },
    /** Pins a tab behind those that are pinned, or makes it the first of the others. */
    tabPinned(state, { payload: { pane: id, on } }: PayloadAction<{ pane: PaneId; on: boolean }>) {
      const pane = state.byId[id]
      if (!pane || Boolean(pane.pinned) === on) return
      if (on) pane.pinned = true
      else delete pane.pinned
      const group = state.tree ? groupOf(state.tree, id) : undefined
      if (state.tree && group)
        state.tree = placeTab(state.tree, id, pinnedIn(state, group) - (on ? 1 : 0))
    },
    /** Draws a page of a pane anew. */
    drawnAnew(
      state,
      { payload: { pane: id, page } }: PayloadAction<{ pane: PaneId; page: string }>,
    ) {
      const pane = state.byId[id]
      if (pane) pane.drawn = { ...pane.drawn, [page]: (pane.drawn?.[page] ?? 0) + 1 }
    },
    closedTabs(state, { payload }: PayloadAction<readonly PaneId[]>) {
      for (const id of payload) take(state, id)
    },
    /** Opens an address in a new pane beside the focused one, or as a tab with it. */
    opened(
      state,
      {
        payload: { at, how, beside },
      }: PayloadAction<{ at: string; how: Direction | 'tab'; beside?: PaneId | undefined }>,
    ) {
      const from = beside ?? state.focused
      const id = add(state, at)
      state.maximised = null
      if (state.tree === null || from === null) state.tree = id
      else if (how === 'tab') state.tree = addTab(state.tree, from, id)
      else state.tree = split(state.tree, from, id, how)
      const group = state.tree && how === 'tab' ? groupOf(state.tree, id) : undefined
      if (state.tree && group && group.indexOf(id) < pinnedIn(state, group))
        state.tree = placeTab(state.tree, id, pinnedIn(state, group))
      state.focused = id
    },
    /** Puts a pane on a channel, or takes it off. */
    linked(
      state,
      {
        payload: { pane: id, channel },
      }: PayloadAction<{ pane: PaneId; channel: number | undefined }>,
    ) {
      const pane = state.byId[id]
      if (!pane) return
      if (channel === undefined) delete pane.channel
      else pane.channel = channel
    },
    closed(state, { payload }: PayloadAction<PaneId>) {
      take(state, payload)
    },
    /** The pane is in another window now: not a change of the layout that is taken back here. */
    handedOver(state, { payload }: PayloadAction<PaneId>) {
      take(state, payload)
    },
    closedOthers(state, { payload: id }: PayloadAction<PaneId>) {
      const pane = state.byId[id]
      if (!pane) return
      Object.assign(state, { tree: id, byId: { [id]: pane }, focused: id, maximised: null })
    },
    moved(state, { payload: { pane, side } }: PayloadAction<{ pane: PaneId; side: Direction }>) {
      if (state.tree) state.tree = move(state.tree, pane, side)
      keepSeen(state)
    },
    swappedNext(state, { payload: id }: PayloadAction<PaneId>) {
      const ids = leaves(state.tree)
      const next = ids[(ids.indexOf(id) + 1) % ids.length]
      if (state.tree && next !== undefined && next !== id) state.tree = swap(state.tree, id, next)
      keepSeen(state)
    },
    resized(
      state,
      {
        payload: { pane, direction, step },
      }: PayloadAction<{ pane: PaneId; direction: 'row' | 'column'; step: number }>,
    ) {
      if (state.tree) state.tree = resize(state.tree, pane, direction, step)
    },
    divided(
      state,
      {
        payload: { divider, share },
      }: PayloadAction<{ divider: Pick<Divider, 'path' | 'index'>; share: number }>,
    ) {
      if (state.tree) state.tree = divide(state.tree, divider, share)
    },
    equalised(state) {
      if (state.tree) state.tree = equalise(state.tree)
    },
    maximised(state, { payload: id }: PayloadAction<PaneId | null>) {
      state.maximised = state.maximised === id ? null : id
      if (id) focus(state, id)
    },
    /**
     * A tree from mosaic's own drag and drop; panes it doesn't hold would be lost, so such a tree
     * is refused.
     */
    arranged(state, { payload }: PayloadAction<{ tree: Tree | null; done: boolean }>) {
      const ids = leaves(payload.tree)
      if (
        ids.length !== Object.keys(state.byId).length ||
        !ids.every(id => Object.hasOwn(state.byId, id))
      )
        return
      state.tree = payload.done ? normal(payload.tree) : payload.tree
      if (payload.done) keepSeen(state)
    },
  },
})
/** The tabs that `id` stands among, or undefined when it stands alone. */
export const groupOf = (node: Tree, id: PaneId): PaneId[] | undefined => {
  if (typeof node === 'string') return undefined
  if (node.type === 'tabs') return node.tabs.includes(id) ? [...node.tabs] : undefined
  for (const child of node.children) {
    const found = groupOf(child, id)
    if (found) return found
  }
  return undefined
}
export const workspace = {
  ...slice.actions,
  undone: createAction('workspace/undone'),
  redone: createAction('workspace/redone'),
}

/** The changes of the layout that undo takes back. */
const lays: readonly string[] = [
  'opened',
  'closed',
  'closedOthers',
  'closedTabs',
  'tabPlaced',
  'moved',
  'swappedNext',
  'resized',
  'divided',
  'equalised',
  'linked',
  'laid',
  'returned',
  'arranged',
].map(name => `workspace/${name}`)
/** The name under which a change is one with the next: steps of one divider, of one pane's size. */
const oneWith = (action: UnknownAction): string | undefined => {
  if (workspace.resized.match(action)) return `${action.payload.pane} ${action.payload.direction}`
  if (workspace.tabPlaced.match(action)) return `tab ${action.payload.pane}`
  if (!workspace.divided.match(action)) return undefined
  const { path, index } = action.payload.divider
  return `${path.join('.')}/${index}`
}
const before = ({ tree, byId, focused, maximised, saved }: Workspace, by?: string): Before => ({
  tree,
  byId,
  focused,
  maximised,
  saved,
  by,
})
const placesOf = ({ tree, byId }: Pick<Workspace, 'tree' | 'byId'>) =>
  JSON.stringify([tree, leaves(tree).map(id => byId[id]?.channel ?? 0)])
/**
 * The layout of another moment. A pane that stands in both goes on where it is now; one that was
 * closed comes back as it was.
 */
const become = (now: Workspace, then: Before): Workspace => {
  const byId = Object.fromEntries(
    leaves(then.tree).map(id => {
      const [was, { channel: _, ...is }] = [then.byId[id]!, now.byId[id] ?? then.byId[id]!]
      return [id, was.channel === undefined ? is : { ...is, channel: was.channel }]
    }),
  )
  const has = (id: PaneId | null) => id !== null && Object.hasOwn(byId, id)
  // A pane that fills the place has the focus, else it would be unseen; what is gone gives it to
  // where it was then; what came back is looked at.
  const back = leaves(then.tree).find(id => !Object.hasOwn(now.byId, id))
  const maximised = has(then.maximised) ? then.maximised : null
  const isBack = back !== undefined && has(then.focused)
  const focused = maximised ?? (!isBack && has(now.focused) ? now.focused : then.focused)
  return {
    ...now,
    tree: then.tree && focused !== null ? show(then.tree, focused) : then.tree,
    byId,
    focused,
    maximised,
    saved: then.saved,
    dragged: undefined,
  }
}
/**
 * The workspace, with the history of its layout: what is taken back and done again is where panes
 * stand, never what was done in them.
 */
export const workspaceReducer = (now: Workspace | undefined, action: UnknownAction): Workspace => {
  if (now && workspace.undone.match(action)) {
    const then = now.past.at(-1)
    return then
      ? { ...become(now, then), past: now.past.slice(0, -1), future: [...now.future, before(now)] }
      : now
  }
  if (now && workspace.redone.match(action)) {
    const then = now.future.at(-1)
    return then
      ? { ...become(now, then), past: [...now.past, before(now)], future: now.future.slice(0, -1) }
      : now
  }
  const next = slice.reducer(now, action)
  if (!now || next === now || !lays.includes(action.type)) return next
  // While a pane is dragged it has no room: the layout before the drag is what one goes back to,
  // and a drag given up is none.
  if (workspace.arranged.match(action) && !action.payload.done)
    return { ...next, dragged: now.dragged ? undefined : before(now) }
  const from = now.dragged ?? now
  if (placesOf(from) === placesOf(next)) return now.dragged ? { ...next, dragged: undefined } : next
  const by = oneWith(action)
  const same = by !== undefined && now.past.at(-1)?.by === by && now.future.length === 0
  return {
    ...next,
    past: same ? now.past : [...now.past, before({ ...now, ...now.dragged }, by)].slice(-UNDO_MAX),
    future: [],
    dragged: undefined,
  }
}
