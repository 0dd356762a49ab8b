import { useEffect, useMemo, useRef, useState } from 'react'
import { groupActions, ruleActions as actions } from '#commands/customer/groups.ts'
import { conditionOf } from '#commands/customer/ruleAsks.ts'
import { conditionsOf, isGroup, type Rule } from '#src/areas/segment/rule.ts'
import { conditionSaid, refKey } from '#src/areas/segment/sentence.ts'
import { Column, Columns } from '#src/kit/board-columns.tsx'
import { useRead, useWrite } from '#src/kit/data.ts'
import { useUnsaved } from '#src/kit/form.tsx'
import { Keyed } from '#src/kit/keyed.tsx'
import { usePaneState } from '#src/kit/memory.ts'
import { BoardPage } from '#src/kit/pool.tsx'
import { Badge, Section } from '#src/kit/show.tsx'
import { Answer } from '#src/kit/states.tsx'
import { useLang, useSay } from '#src/kit/text.ts'
import { Toolbar } from '#src/kit/toolbar.tsx'
import { Tree } from '#src/kit/tree.tsx'
import { useAction, useAnswered, usePane, useSubject, useWorkbench } from '#src/kit/workbench.ts'
import { groups as calls } from '../contract/groups.ts'
import {
  changed,
  joinedOtherwise,
  linesOf,
  placedAt,
  replaced,
  TOP,
  withCondition,
  withGroup,
  without,
  type RuleDraft,
  type RuleLine,
} from './ruleDraft.ts'
import { PeopleTable, SizeSaid } from './segmentLooks.tsx'
import './customer.css'

const REST_MS = 150
const NOBODY = { rows: [], total: 0, pending: false }
/** What stays for a moment: nothing is asked while keys still fall. */
const useRest = <T,>(value: T): T => {
  const [rested, setRested] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), REST_MS)
    return () => clearTimeout(timer)
  }, [value])
  return rested
}
type Writing = {
  draft: RuleDraft
  put: (draft: RuleDraft) => void
  at: number
  setAt: (key: number) => void
}
/** What questions about a rule are about: no row of the log, as nothing of it is saved yet. */
const named = ({ name }: RuleDraft, say: ReturnType<typeof useSay>) => ({
  is: 'rule',
  title: name || say(['新增分群', 'New segment']),
})
/** What keys do with the rule in hand. */
const useRuleKeys = ({ draft, put, at, setAt }: Writing) => {
  const say = useSay()
  const pane = usePane()
  const { run, toast } = useWorkbench()
  const { rule } = draft
  const set = (next: Rule) => put({ ...draft, rule: next })
  const focused = rule.nodes.find(node => node.key === at)
  const ask = (action: typeof actions.addCondition, on: object) =>
    void run(action, [], { pane: pane.id, on: { ...named(draft, say), ...on } })
  useAction(actions.addCondition, () => ask(actions.addCondition, { names: draft.names }))
  useAnswered(actions.addCondition, answers => {
    const next = withCondition(rule, at, conditionOf(answers))
    set(next.rule)
    setAt(next.key)
  })
  useAction(actions.addGroup, () => {
    const next = withGroup(rule, at)
    if (!next) {
      toast(say(['条件组最多嵌套 3 层', 'Groups can nest 3 levels deep']), 'warning')
      return
    }
    set(next.rule)
    setAt(next.key)
  })
  useAction(actions.editNode, () => {
    if (focused && !isGroup(focused))
      ask(actions.editNode as typeof actions.addCondition, { node: focused, names: draft.names })
    else set(joinedOtherwise(rule, at))
  })
  useAnswered(actions.editNode, answers => set(replaced(rule, at, conditionOf(answers))))
  useAction(actions.join, () => set(joinedOtherwise(rule, at)))
  useAction(actions.negate, () => {
    if (focused) set(changed(rule, at, { not: !focused.not }))
  })
  useAction(actions.removeNode, () => {
    if (!focused) return
    set(without(rule, at))
    setAt(focused.parent ?? TOP)
  })
  useAction(actions.exclude, () => {
    const excluded = Object.fromEntries(
      draft.exclude_ids.map(id => [id, draft.names[refKey('segment', id)] ?? `#${id}`]),
    )
    const on = { ...named(draft, say), exclude_ids: draft.exclude_ids, excluded }
    void run(actions.exclude, [], { pane: pane.id, on })
  })
  useAnswered(actions.exclude, ({ exclude_ids }) =>
    put({ ...draft, exclude_ids: (exclude_ids as number[] | undefined) ?? [] }),
  )
}
/** Sends the rule: a new segment, or the one it was opened from. */
const useSaving = (draft: RuleDraft, saved: (id: number) => void) => {
  const say = useSay()
  const pane = usePane()
  const { run, toast } = useWorkbench()
  const [create] = useWrite(calls.create)
  const [edit] = useWrite(calls.edit)
  const { rule, exclude_ids } = draft
  useAction(actions.saveRule, () => {
    const isEverybody = conditionsOf(rule).length === 0 && exclude_ids.length === 0
    const on = { ...named(draft, say), name: draft.name, isEverybody }
    void run(actions.saveRule, [], { pane: pane.id, on })
  })
  const send = async (name: string, everyone: boolean) => {
    const of = { name, rule, exclude_ids, everyone }
    const { id } = await (draft.held ? edit({ ...draft.held, ...of }) : create(of))
    toast(say(['已保存，正在精确计算人数', 'Saved; counting people']), 'success')
    saved(id)
  }
  useAnswered(actions.saveRule, ({ name, everyone }) => {
    // What it is refused for is told by the read of it.
    send(name as string, everyone === true).catch(() => {})
  })
}
const groupWords = {
  all: ['满足以下全部条件', 'All of these'],
  any: ['满足以下任一条件', 'Any of these'],
} as const
const RuleTree = ({ draft, put, at, setAt }: Writing) => {
  const say = useSay()
  const lang = useLang()
  const { toast } = useWorkbench()
  const { rule, names } = draft
  const lines = useMemo(() => linesOf(rule), [rule])
  const wordsOf = ({ node }: RuleLine): string => {
    if (!node) return say(groupWords[rule.joins])
    if (!isGroup(node)) return conditionSaid(node, names, lang)
    const text = say(groupWords[node.is])
    return node.not ? say(['不满足：{text}', 'Not: {text}'], { text }) : text
  }
  return (
    <Tree<RuleLine>
      name="rule"
      label={say(['规则', 'Rule'])}
      nodes={lines}
      levels={9}
      wordsOf={wordsOf}
      draw={line =>
        line.node && !isGroup(line.node) ? (
          <span title={wordsOf(line)}>{wordsOf(line)}</span>
        ) : (
          <strong>{wordsOf(line)}</strong>
        )
      }
      focused={at}
      onFocus={key => setAt(key as number)}
      onPlace={(line, parent, place) => {
        const next = placedAt(rule, line.key, { parent, at: place })
        if (next) put({ ...draft, rule: next })
        else toast(say(['不能移动到这里', 'Can’t move it here']), 'warning')
      }}
    />
  )
}
/** How many people the rule means, in one sentence, with some of them. */
const Trial = ({
  draft,
  learn,
}: {
  draft: RuleDraft
  learn: (names: RuleDraft['names']) => void
}) => {
  const say = useSay()
  const asked = useRest(
    useMemo(() => ({ rule: draft.rule, exclude_ids: draft.exclude_ids }), [draft]),
  )
  const read = useRead(calls.preview, asked)
  useAction(groupActions.preview, () => read.refetch())
  const names = read.data?.names
  useEffect(() => {
    if (names) learn(names)
  }, [names, learn])
  return (
    <Answer of={read}>
      {({ fault, size, said, people }) => (
        <div className="cu-trial" aria-busy={read.isFetching}>
          {fault !== null && <p className="m-bad">{fault}</p>}
          {size && (
            <Section title={say(['命中人数', 'People matched'])}>
              <SizeSaid of={size} />
              <p>{said}</p>
            </Section>
          )}
          {size && (
            <Section title={say(['部分会员', 'Sample of members'])}>
              <PeopleTable of={people} />
            </Section>
          )}
        </div>
      )}
    </Answer>
  )
}
const isSame = (a: RuleDraft, b: RuleDraft) =>
  JSON.stringify([a.rule, a.exclude_ids]) === JSON.stringify([b.rule, b.exclude_ids])
/** Writes the rule of a segment by keys: conditions in groups, and how many people they mean. */
export const RuleEditor = ({
  began,
  close,
  saved,
}: {
  began: RuleDraft
  close: () => void
  saved: (id: number) => void
}) => {
  const say = useSay()
  const key = began.held ? `rule:${began.held.id}:${began.held.version}` : 'rule:new'
  const [kept, setKept] = usePaneState<RuleDraft | null>(key, null)
  const draft = kept ?? began
  const [at, setAt] = usePaneState(`${key}:at`, TOP)
  const put = (next: RuleDraft) => setKept(next)
  const dirty = kept !== null && !isSame(kept, began)
  const unsaved = useRef(dirty)
  useEffect(() => {
    unsaved.current = dirty
  }, [dirty])
  const reset = () => {
    unsaved.current = false
    setKept(null)
  }
  useUnsaved({ dirty, unsaved: () => unsaved.current, reset })
  useSubject(NOBODY)
  useRuleKeys({ draft, put, at, setAt })
  useSaving(draft, id => {
    reset()
    saved(id)
  })
  useAction(actions.leaveRule, () => {
    // What is half written stays with the pane, and comes back with the editor.
    unsaved.current = false
    close()
  })
  const learn = (names: RuleDraft['names']) => {
    const isNew = Object.keys(names).some(one => draft.names[one] !== names[one])
    if (isNew) setKept({ ...draft, names: { ...draft.names, ...names } })
  }
  const n = conditionsOf(draft.rule).length
  return (
    <BoardPage
      title={began.held ? draft.name : say(['新增分群', 'New segment'])}
      aside={
        <>
          <span className="m-muted">{say(['{n} / 30 个条件', '{n} of 30 conditions'], { n })}</span>
          {dirty && <Badge tone="info">{say(['未保存', 'Not saved'])}</Badge>}
        </>
      }
      toolbar={<Toolbar actions={[...Object.values(actions), groupActions.preview]} rows={[]} />}
    >
      <Columns widths="minmax(320px, 1fr) minmax(360px, 1.2fr)" first="rule">
        <Column
          name="rule"
          title={say(['规则', 'Rule'])}
          aside={
            <span className="m-muted">
              <Keyed
                text={[
                  '{add} 添加条件 {group} 条件组 {join} 且/或',
                  '{add} adds {group} groups {join} and/or',
                ]}
                by={{ add: actions.addCondition, group: actions.addGroup, join: actions.join }}
              />
            </span>
          }
        >
          <RuleTree draft={draft} put={put} at={at} setAt={setAt} />
        </Column>
        <Column name="trial" title={say(['试算', 'Trial'])}>
          <Trial draft={draft} learn={learn} />
        </Column>
      </Columns>
    </BoardPage>
  )
}
