import { useState, type KeyboardEvent } from 'react'
import { useDispatch } from 'react-redux'
import type { Action } from '#commands/command.ts'
import {
  boardBottom,
  boardDown,
  boardTop,
  boardUp,
  listNext,
  listPrevious,
} from '#commands/list.ts'
import {
  addFault,
  newBlock,
  type Block,
  type BlockKind,
  type PageType,
} from '#src/areas/scheme/blocks.ts'
import type { DesignerCalls } from '#src/contract/designer.ts'
import { dispatchRead } from '../data.ts'
import { useSay } from '../text.ts'
import { useAction, useAnswered, usePane, useResult, useWorkbench } from '../workbench.ts'
import type { PageData } from './properties.tsx'
import type { Design } from './use-design.ts'

/** A key that no block of the page has. */
export const newId = (): string => crypto.randomUUID().slice(0, 8)

/** What is done to the blocks: each answers the page after it, tells of it, and chooses the block it was about. */
export const useBlockEdits = (type: PageType, design: Design) => {
  const say = useSay()
  const { toast } = useWorkbench()
  const [told, tell] = useState('')
  const { blocks, selected, select, change, nameOf } = design
  const at = blocks.findIndex(({ id }) => id === selected)
  const mine = blocks[at]
  const put = (next: Block[], id: string | undefined, words: string) => {
    if (!change(next)) return
    if (id) select(id)
    tell(words)
  }
  const insert = (block: Block, to: number, words: string) => {
    const fault = addFault(type, block.kind, blocks)
    if (fault) toast(say(fault), 'warning')
    else put(blocks.toSpliced(to, 0, block), block.id, words)
  }
  const add = (kind: BlockKind, to = at + 1) => {
    const block = newBlock(kind, newId())
    insert(
      block,
      to,
      say(['已添加“{of}”，第 {n} 个', '{of} added at {n}'], { of: nameOf(block), n: to + 1 }),
    )
  }
  const move = (id: string | undefined, to: number) => {
    const from = blocks.findIndex(block => block.id === id)
    const place = Math.max(0, Math.min(blocks.length - 1, to))
    if (from < 0 || place === from) return
    const next = blocks.toSpliced(from, 1).toSpliced(place, 0, blocks[from]!)
    put(
      next,
      id,
      say(['{of}移到第 {n} 个', '{of} moved to {n}'], { of: nameOf(blocks[from]), n: place + 1 }),
    )
  }
  return {
    told,
    at,
    block: mine,
    add,
    move,
    choose: (to: number) => {
      const block = blocks[Math.max(0, Math.min(blocks.length - 1, to))]
      if (block) select(block.id)
    },
    duplicate: () => {
      if (mine)
        insert(
          { ...mine, id: newId() },
          at + 1,
          say(['已复制“{of}”', '{of} duplicated'], { of: nameOf(mine) }),
        )
    },
    remove: () => {
      if (!mine) return
      const next = blocks.toSpliced(at, 1)
      put(
        next,
        next[Math.min(at, next.length - 1)]?.id,
        say(['已删除“{of}”，可撤销', '{of} removed: undo brings it back'], { of: nameOf(mine) }),
      )
    },
    step: (way: 'undo' | 'redo') => {
      const words =
        way === 'undo'
          ? say(['已撤销一步', 'One step undone'])
          : say(['已重做一步', 'One step redone'])
      tell(design[way]() ? words : say(['没有更多步骤', 'There are no more steps']))
    },
  }
}
export type BlockEdits = ReturnType<typeof useBlockEdits>

/** The keys of the page itself, while it has the focus; true for one that it took. */
export const blockKeys =
  (edits: BlockEdits, enter: () => void) =>
  (event: KeyboardEvent): boolean => {
    const control = event.ctrlKey || event.metaKey
    const { at, block } = edits
    const moves: Readonly<Record<string, number>> = {
      ArrowUp: at - 1,
      ArrowDown: at + 1,
      Home: 0,
      End: Infinity,
    }
    const key = control ? `mod+${event.key.toLowerCase()}` : event.key
    const does: Readonly<Record<string, () => void>> = {
      Enter: enter,
      Delete: edits.remove,
      Backspace: edits.remove,
      'mod+z': () => edits.step(event.shiftKey ? 'redo' : 'undo'),
      'mod+y': () => edits.step('redo'),
    }
    const to = control ? undefined : moves[event.key]
    if (to !== undefined) {
      if (event.altKey) edits.move(block?.id, to)
      else edits.choose(to)
      return true
    }
    if (event.altKey || !does[key]) return false
    does[key]()
    return true
  }

/** What is done on a page that is designed; some of it on some pages alone. */
type Verb =
  | 'addBlock'
  | 'save'
  | 'preview'
  | 'undo'
  | 'redo'
  | 'editBlock'
  | 'moveBlock'
  | 'duplicateBlock'
  | 'removeBlock'
  | 'nextFault'
  | 'saveAsTemplate'
  | 'applyTemplate'
  | 'publish'
  | 'schedule'
  | 'cancelSchedule'
  | 'rollback'
  | 'diff'
  | 'unpublish'
  | 'takeOver'
  | 'discard'
type Further = 'choose' | 'copyFrom' | 'setFallback' | 'inheritBrand' | 'batchApply'
export type DesignerActions = Readonly<Record<Verb, Action> & Partial<Record<Further, Action>>>

type Open = { kind: 'preview'; id: number } | { kind: 'diff'; a: number; b: number }
type Of = {
  calls: DesignerCalls
  actions: DesignerActions
  data: PageData | undefined
  enter: () => void
  show: (open: Open) => void
}
/** Asks about the page as it is; what is on the screen is saved before, where that is meant. */
export const useAsking = ({ designed, blocks, save }: Design) => {
  const say = useSay()
  const { run, toast } = useWorkbench()
  const { id: pane } = usePane()
  const ask = async (action: Action, more: { saved?: boolean; no?: number } = {}) => {
    if (!designed) return
    const now = more.saved ? await save() : designed
    const row = { ...designed, blocks, no: more.no }
    if (now) await run(action, [], { pane, on: { ...row, id: now.id, version: now.version } })
  }
  /** The same for what needs a page that was saved once. */
  const askOfPage = (action: Action) => {
    if (designed && designed.id > 0) void ask(action)
    else toast(say(['还没有保存过草稿', 'No draft was saved yet']), 'warning')
  }
  return { ask, askOfPage }
}
/** What makes versions of the draft, and goes back to them. */
const useVersionActions = (design: Design, { actions, show }: Of) => {
  const { designed } = design
  const { ask, askOfPage } = useAsking(design)
  useAction(actions.publish, () => void ask(actions.publish, { saved: true }))
  useAction(actions.schedule, () => void ask(actions.schedule, { saved: true }))
  useAction(actions.cancelSchedule, () => askOfPage(actions.cancelSchedule))
  useAction(actions.rollback, () => askOfPage(actions.rollback))
  useAction(actions.unpublish, () => askOfPage(actions.unpublish))
  useAction(actions.takeOver, () => askOfPage(actions.takeOver))
  useAction(actions.diff, () => askOfPage(actions.diff))
  useAnswered(actions.diff, ({ a, b }) => show({ kind: 'diff', a, b }))
  useAction(actions.discard, () => {
    if (designed?.draft) void ask(actions.discard)
    else design.reset()
  })
  useResult(actions.discard, design.reset)
  return { rollback: (no: number) => void ask(actions.rollback, { no }) }
}
/** Goes through the blocks, and moves them, by the keys of every ordered list. */
const useListKeys = ({ at, block, choose, move }: BlockEdits) => {
  useAction(listNext, () => choose(at + 1))
  useAction(listPrevious, () => choose(at - 1))
  useAction(boardUp, () => move(block?.id, at - 1))
  useAction(boardDown, () => move(block?.id, at + 1))
  useAction(boardTop, () => move(block?.id, 0))
  useAction(boardBottom, () => move(block?.id, Infinity))
}
/** What the page’s actions do with the draft and its versions. */
export const useDesignActions = (design: Design, edits: BlockEdits, of: Of) => {
  const say = useSay()
  const dispatch = useDispatch()
  const { toast } = useWorkbench()
  const { actions, calls } = of
  const { designed, blocks, save, select } = design
  const { ask } = useAsking(design)
  useListKeys(edits)
  useAction(actions.save, () => {
    if (!design.dirty && designed?.draft) toast(say(['草稿没有变化', 'The draft has not changed']))
    else
      void save().then(done => done && toast(say(['草稿已保存', 'The draft is saved']), 'success'))
  })
  useAction(actions.preview, () => {
    void save().then(done => done && of.show({ kind: 'preview', id: done.id }))
  })
  useAction(actions.saveAsTemplate, () => void ask(actions.saveAsTemplate))
  useAnswered(actions.applyTemplate, ({ template }) => {
    void dispatchRead(dispatch as never, calls.templates, { pageSize: 100 }).then(({ list }) => {
      const found = list.find(one => one.id === template)
      if (found) design.change(found.blocks.map(block => ({ ...block, id: newId() })) as Block[])
    })
  })
  useAnswered(actions.addBlock, ({ kind }) => edits.add(kind as BlockKind))
  useAnswered(actions.moveBlock, ({ to }) => edits.move(edits.block?.id, to - 1))
  useAction(actions.duplicateBlock, edits.duplicate)
  useAction(actions.removeBlock, edits.remove)
  useAction(actions.editBlock, of.enter)
  useAction(actions.undo, () => edits.step('undo'))
  useAction(actions.redo, () => edits.step('redo'))
  useAction(actions.nextFault, () => {
    const faults = of.data?.faults ?? []
    const place = (id: string) => blocks.findIndex(block => block.id === id)
    const next = faults.find(({ block }) => place(block) > edits.at) ?? faults[0]
    if (next) select(next.block)
    else toast(say(['没有待修正的组件', 'Nothing is to be put right']), 'success')
  })
  return useVersionActions(design, of)
}
