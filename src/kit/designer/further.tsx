import { useDispatch } from 'react-redux'
import type { Action } from '#commands/command.ts'
import { pageType, type Block, type PageType } from '#src/areas/scheme/blocks.ts'
import { keyOf, type PageKey } from '#src/areas/scheme/pageKey.ts'
import type { DesignerCalls, inheritedCall } from '#src/contract/designer.ts'
import { semicolon } from '#src/domain/text.ts'
import { dispatchRead } from '../data.ts'
import { useSay } from '../text.ts'
import { useAction, useAnswered, useResult, useWorkbench } from '../workbench.ts'
import { newId, useAsking, type DesignerActions } from './actions.ts'
import { useGoTo } from './keys.tsx'
import type { Design } from './use-design.ts'

/** The calls of a page, and what some pages are asked besides. */
export type PageCalls = DesignerCalls & { inherited?: ReturnType<typeof inheritedCall> }
type Of = { type: PageType; design: Design; calls: PageCalls; action: Action }
/** Puts the blocks of another page in the place of those on the screen. */
const taking =
  ({ change }: Design) =>
  (blocks: readonly unknown[]) =>
    change((blocks as Block[]).map(block => ({ ...block, id: newId() })))
/** The key of another page of the type, which differs in its last part. */
const besides = (type: PageType, of: PageKey, id: number): PageKey => ({
  ...keyOf(of),
  [pageType(type).of.at(-1)!]: id,
})

const Choose = ({ type, design, action }: Of) => {
  const go = useGoTo()
  const { ask } = useAsking(design)
  const { designed } = design
  useAction(action, () => void ask(action))
  useAnswered(action, ({ to }) => {
    if (!designed) return
    const key = besides(type, designed, to)
    go(Object.fromEntries(pageType(type).of.map(part => [part, key[part]])))
  })
  return null
}
const CopyFrom = ({ type, design, calls, action }: Of) => {
  const dispatch = useDispatch()
  const { ask } = useAsking(design)
  const { designed } = design
  useAction(action, () => void ask(action))
  useAnswered(action, ({ from }) => {
    if (!designed) return
    const key = besides(type, designed, from)
    void dispatchRead(dispatch as never, calls.detail, key).then(({ blocks }) =>
      taking(design)(blocks),
    )
  })
  return null
}
const Inherit = ({ design, calls: { inherited }, action }: Of) => {
  const say = useSay()
  const dispatch = useDispatch()
  const { toast } = useWorkbench()
  const { designed } = design
  useAction(action, () => {
    if (!designed || !inherited) return
    void dispatchRead(dispatch as never, inherited, keyOf(designed)).then(({ blocks }) => {
      if (taking(design)(blocks))
        toast(
          say([
            '已换成品牌主页的组件，可撤销',
            'These are the blocks of the brand’s page: undo brings yours back',
          ]),
        )
    })
  })
  return null
}
type Applied = { applied: readonly string[]; skipped: readonly { name: string; why: string }[] }
const Apply = ({ design, action }: Of) => {
  const say = useSay()
  const { toast } = useWorkbench()
  const { ask } = useAsking(design)
  useAction(action, () => void ask(action, { saved: true }))
  useResult(action, ({ applied, skipped }: Applied) => {
    const told = [
      say(['已写入 {n} 个品牌的草稿', 'Drafts of {n} brands are written'], { n: applied.length }),
      ...skipped.map(({ name, why }) =>
        say(['跳过“{name}”：{why}', '“{name}” passed over: {why}'], { name, why }),
      ),
    ]
    toast(told.join(say(semicolon)), skipped.length > 0 ? 'warning' : 'success')
    return true
  })
  return null
}

const performers = {
  choose: Choose,
  copyFrom: CopyFrom,
  inheritBrand: Inherit,
  batchApply: Apply,
} as const
/** Carries out what only some pages offer: what goes from one page to another. */
export const Further = ({ actions, ...of }: Omit<Of, 'action'> & { actions: DesignerActions }) =>
  Object.entries(performers).map(([verb, Performer]) => {
    const action = actions[verb as keyof typeof performers]
    return action && <Performer key={verb} {...of} action={action} />
  })
