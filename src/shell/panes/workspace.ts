import { createSlice, type PayloadAction } from '@reduxjs/toolkit'
import { CHANNELS } from '#commands/shell.ts'
import { tidy } from '../address.ts'
import { addTab, divide, equalise, isTree, leaves, move, neighbour, normal, remove, resize, show, split, swap, type Direction, type Divider, type PaneId, type Tree } from './tree.ts'

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
}
export type Workspace = {
  tree: Tree | null
  byId: Record<PaneId, PaneState>
  focused: PaneId | null
  maximised: PaneId | null
  next: number
}
const HISTORY = 50
const MEMOS = 16
export const HOME = '/manage'

const fresh = (at: string): PaneState => ({ at: tidy(at), back: [], forward: [], moves: 0, kept: {}, memo: {} })
/** One pane, showing `at`. */
export const single = (at: string): Workspace => ({ tree: 'p1', byId: { p1: fresh(at) }, focused: 'p1', maximised: null, next: 2 })

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)
const texts = (value: unknown): string[] => (Array.isArray(value) ? value.filter((entry): entry is string => typeof entry === 'string').slice(-HISTORY) : [])
const isChannel = (value: unknown): value is number => CHANNELS.some(channel => channel === value)
/** A stored workspace made whole again; null when nothing in it can be used. */
export const revive = (value: unknown): Workspace | null => {
  if (!isRecord(value) || !isTree(value.tree) || !isRecord(value.byId)) return null
  const ids = leaves(value.tree)
  const byId: Record<PaneId, PaneState> = {}
  for (const id of ids) {
    const pane = Object.hasOwn(value.byId, id) ? value.byId[id] : undefined
    if (!isRecord(pane) || typeof pane.at !== 'string') return null
    byId[id] = {
      at: tidy(pane.at), back: texts(pane.back), forward: texts(pane.forward), moves: 0,
      kept: isRecord(pane.kept) ? Object.fromEntries(Object.entries(pane.kept).filter((entry): entry is [string, string] => typeof entry[1] === 'string')) : {},
      memo: isRecord(pane.memo) ? Object.fromEntries(Object.entries(pane.memo).filter((entry): entry is [string, Memo] => isRecord(entry[1]))) : {},
      ...(isChannel(pane.channel) && { channel: pane.channel }),
    }
  }
  const known = (id: unknown): PaneId | null => (typeof id === 'string' && Object.hasOwn(byId, id) ? id : null)
  const highest = Math.max(0, ...ids.map(id => Number(/^p(\d+)$/.exec(id)?.[1] ?? 0)))
  return { tree: normal(value.tree), byId, focused: known(value.focused) ?? ids[0]!, maximised: known(value.maximised), next: highest + 1 }
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
  if (leaving) pane.kept[leaving] = pane.at
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
    /** Shows an address in a pane. */
    went(state, { payload: { pane: id, at, replace, leaving } }: PayloadAction<At & Leaving & { replace?: boolean | undefined }>) {
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
    wentForward(state, { payload: { pane: id, leaving } }: PayloadAction<{ pane: PaneId } & Leaving>) {
      const pane = state.byId[id]
      const to = pane?.forward.pop()
      if (!pane || to === undefined) return
      leave(pane, leaving)
      pane.back.push(pane.at)
      pane.at = to
    },
    remembered(state, { payload: { pane: id, page, key, value } }: PayloadAction<{ pane: PaneId; page: string; key: string; value: unknown }>) {
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
      if (state.focused) focus(state, ids[(ids.indexOf(state.focused) + step + ids.length) % ids.length] ?? null)
    },
    /** Another tab of the focused pane's group. */
    tabbed(state, { payload: step }: PayloadAction<1 | -1>) {
      const group = state.focused && state.tree ? groupOf(state.tree, state.focused) : undefined
      if (group) focus(state, group[(group.indexOf(state.focused!) + step + group.length) % group.length] ?? null)
    },
    /** Opens an address in a new pane beside the focused one, or as a tab with it. */
    opened(state, { payload: { at, how, beside } }: PayloadAction<{ at: string; how: Direction | 'tab'; beside?: PaneId | undefined }>) {
      const from = beside ?? state.focused
      const id = add(state, at)
      state.maximised = null
      state.tree = state.tree === null || from === null ? id : how === 'tab' ? addTab(state.tree, from, id) : split(state.tree, from, id, how)
      state.focused = id
    },
    /** Puts a pane on a channel, or takes it off. */
    linked(state, { payload: { pane: id, channel } }: PayloadAction<{ pane: PaneId; channel: number | undefined }>) {
      const pane = state.byId[id]
      if (!pane) return
      if (channel === undefined) delete pane.channel
      else pane.channel = channel
    },
    closed(state, { payload: id }: PayloadAction<PaneId>) {
      if (!Object.hasOwn(state.byId, id)) return
      const near = state.tree ? groupOf(state.tree, id)?.find(other => other !== id) ?? neighbour(state.tree, id, 'left') ?? neighbour(state.tree, id, 'up') : undefined
      state.tree = remove(state.tree, id)
      delete state.byId[id]
      if (state.maximised === id) state.maximised = null
      const rest = leaves(state.tree)
      if (rest.length === 0) { state.tree = add(state, HOME); state.focused = state.tree }
      else if (state.focused === id) focus(state, near ?? rest[0]!)
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
    resized(state, { payload: { pane, direction, step } }: PayloadAction<{ pane: PaneId; direction: 'row' | 'column'; step: number }>) {
      if (state.tree) state.tree = resize(state.tree, pane, direction, step)
    },
    divided(state, { payload: { divider, share } }: PayloadAction<{ divider: Pick<Divider, 'path' | 'index'>; share: number }>) {
      if (state.tree) state.tree = divide(state.tree, divider, share)
    },
    equalised(state) {
      if (state.tree) state.tree = equalise(state.tree)
    },
    maximised(state, { payload: id }: PayloadAction<PaneId | null>) {
      state.maximised = state.maximised === id ? null : id
      if (id) focus(state, id)
    },
    /** A tree from mosaic's own drag and drop; panes it doesn't hold would be lost, so such a tree is refused. */
    arranged(state, { payload }: PayloadAction<{ tree: Tree | null; done: boolean }>) {
      const ids = leaves(payload.tree)
      if (ids.length !== Object.keys(state.byId).length || !ids.every(id => Object.hasOwn(state.byId, id))) return
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
export const workspace = slice.actions
export const workspaceReducer = slice.reducer
