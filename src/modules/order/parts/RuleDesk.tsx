import { useMemo, useRef, useState, type ReactNode } from 'react'
import type { rulesActions } from '#commands/order/settings.ts'
import { configScopes, type ConfigScope } from '#src/areas/order/configScope.ts'
import { ruleFault } from '#src/areas/order/orderRuleFaults.ts'
import { ruleFields } from '#src/areas/order/orderRuleFields.ts'
import { copiedRules, rulesFor, sectionsOf, type OrderRules } from '#src/areas/order/orderRules.ts'
import { rulesDiff, type RuleChange } from '#src/areas/order/orderRuleWords.ts'
import { colon, type Text } from '#src/domain/text.ts'
import { goToQuestion } from '#src/kit/faults.ts'
import { FormField, FormNotes, type FormState } from '#src/kit/form.tsx'
import { usePaneState } from '#src/kit/memory.ts'
import { Badge, When } from '#src/kit/show.tsx'
import { Split } from '#src/kit/split.tsx'
import { useSay } from '#src/kit/text.ts'
import { useAction, useAnswered, usePane, useSubject, useWorkbench } from '#src/kit/workbench.ts'
import type { ConfigRow, ConfigVersion, RulesCalls } from '../contract/config.ts'
import { answerFrom, isAsked } from './ruleAsks.ts'
import { RuleChanges } from './RuleChanges.tsx'
import { RuleTrial } from './RuleTrial.tsx'
import { RuleVersions } from './RuleVersions.tsx'

export type RulesActions = ReturnType<typeof rulesActions>
type Side = 'diff' | 'simulate' | 'history'
const sides = {
  diff: ['改动', 'Changes'],
  simulate: ['试算', 'Trial'],
  history: ['历史', 'History'],
} as const satisfies Record<Side, Text>

/** What the page's actions do for the kind that is shown. */
const Performs = ({
  actions,
  save,
  trial,
  copy,
  show,
  row,
  version,
}: {
  actions: RulesActions
  save: () => void
  trial: () => void
  copy: (from: string) => void
  show: (side: Side) => void
  row: ConfigRow
  version: ConfigVersion | undefined
}) => {
  const { run } = useWorkbench()
  const { id: pane } = usePane()
  useSubject(useMemo(() => ({ rows: [version ?? row] }), [version, row]))
  useAction(actions.save, save)
  useAction(actions.simulate, trial)
  useAction(actions.diff, () => show('diff'))
  useAction(actions.history, () => show('history'))
  useAnswered(actions.copyFrom, answers => copy(answers.kind as string))
  useAction(actions.rollback, on => {
    const to = on[0] as ConfigVersion
    void run(actions.rollback, [to], {
      pane,
      asked: { refund: to.back.some(one => one.refund), version_no: row.version_no },
    })
  })
  return null
}

/** Since when the rules stand and by whom, what lives by them, and what is not saved. */
const RuleFacts = ({
  row,
  form,
  changes,
}: {
  row: ConfigRow
  form: FormState
  changes: number
}) => {
  const say = useSay()
  return (
    <div className="oc-facts">
      <Badge>
        {row.version_no === 0 ? say(['初始规则', 'As installed']) : `V${row.version_no}`}
      </Badge>
      <span>
        {row.by && <>{row.by} · </>}
        <When at={row.effective_at} />
        {row.reason && (
          <>
            {say(colon)}
            {row.reason}
          </>
        )}
      </span>
      <span className="m-fill" />
      <span className="m-num">
        {say(['进行中 {n} 笔', '{n} in progress'], { n: row.running.toLocaleString() })}
      </span>
      {row.on_sale > 0 && (
        <span className="m-num">
          {say(['在售 {n} 个', '{n} on sale'], { n: row.on_sale.toLocaleString() })}
        </span>
      )}
      <FormNotes of={form} unsaved={say(['{n} 项未保存', '{n} not saved'], { n: changes })} />
    </div>
  )
}
const Questions = ({
  kind,
  form,
  changes,
}: {
  kind: ConfigScope
  form: FormState
  changes: readonly RuleChange[]
}) => {
  const say = useSay()
  return (
    <>
      {sectionsOf(kind)
        .map(one => ({ ...one, fields: one.fields.filter(isAsked) }))
        .filter(one => one.fields.length > 0)
        .map(one => (
          <fieldset key={one.key}>
            <legend>{say(one.title)}</legend>
            <div>
              {one.fields.map(name => (
                <div
                  key={name}
                  data-changed={changes.some(change => change.field === name) || undefined}
                >
                  <FormField of={form} name={name} />
                </div>
              ))}
            </div>
          </fieldset>
        ))}
    </>
  )
}
const SideTabs = ({
  actions,
  side,
  changes,
  open,
}: {
  actions: RulesActions
  side: Side
  changes: number
  open: (side: Side) => void
}) => {
  const say = useSay()
  const { me } = useWorkbench()
  return (
    <div className="m-tabs" role="tablist">
      {(Object.keys(sides) as Side[])
        .filter(one => one !== 'history' || me.can(actions.history.permit))
        .filter(one => one !== 'simulate' || me.can(actions.simulate.permit))
        .map(one => (
          <button
            key={one}
            type="button"
            role="tab"
            aria-selected={side === one}
            onClick={() => open(one)}
          >
            {say(sides[one])}
            {one === 'diff' && changes > 0 && <span className="m-num">{changes}</span>}
          </button>
        ))}
    </div>
  )
}
const SidePanel = ({
  calls,
  actions,
  kind,
  side,
  changes,
  fields,
  tried,
  version,
  choose,
}: {
  calls: RulesCalls
  actions: RulesActions
  kind: ConfigScope
  side: Side
  changes: readonly RuleChange[]
  fields: Partial<OrderRules>
  /** The changes that were tried last. */ tried: Partial<OrderRules> | undefined
  version: ConfigVersion | undefined
  choose: (version: ConfigVersion) => void
}) => {
  const say = useSay()
  if (side === 'diff')
    return (
      <RuleChanges
        of={changes}
        none={say([
          '没有改动。改动会在这里用业务语言列出，保存前核对。',
          'No changes yet. Review them here before saving.',
        ])}
      />
    )
  if (side === 'simulate')
    return (
      <RuleTrial
        calls={calls}
        kind={kind}
        fields={tried}
        now={fields}
        simulate={actions.simulate}
      />
    )
  return <RuleVersions calls={calls} kind={kind} chosen={version?.version_no} choose={choose} />
}
/** The answers that differ once the rules of another kind are copied. */
const copiedAnswers = (kind: ConfigScope, next: OrderRules, source: ConfigRow) => {
  const copied = copiedRules(kind, source.kind, next, source.fields)
  return Object.fromEntries(
    rulesFor(kind)
      .filter(name => isAsked(name) && JSON.stringify(copied[name]) !== JSON.stringify(next[name]))
      .map(name => [name, answerFrom(ruleFields[name], copied[name])]),
  )
}
export type DeskProps = {
  calls: RulesCalls
  actions: RulesActions
  row: ConfigRow
  active: boolean
  extra?: ((row: ConfigRow, active: boolean) => ReactNode) | undefined
  form: FormState
  next: OrderRules
  all: readonly ConfigRow[]
}
/** The rules of a kind, and beside them what is about to change and how they came to be. */
export const RuleDesk = ({ calls, actions, form, row, next, all, active, extra }: DeskProps) => {
  const say = useSay()
  const { kind } = row
  const [side, setSide] = usePaneState<Side>('side', 'diff')
  const [tried, setTried] = useState<Partial<OrderRules> | undefined>(undefined)
  const [version, setVersion] = useState<ConfigVersion | undefined>(undefined)
  const panel = useRef<HTMLElement>(null)
  const changes = rulesDiff(kind, row.fields, next)
  const fields = Object.fromEntries(
    changes.map(one => [one.field, next[one.field]]),
  ) as Partial<OrderRules>
  const show = (to: Side) => {
    setSide(to)
    requestAnimationFrame(() =>
      (panel.current?.querySelector<HTMLElement>('[data-side-focus]') ?? panel.current)?.focus(),
    )
  }
  const trial = () => {
    const wrong = rulesFor(kind).find(name => form.fault(name) ?? ruleFault(name, next[name]))
    if (wrong) {
      form.touch(wrong)
      goToQuestion(form.idOf(wrong))
      return
    }
    setTried(fields)
    show('simulate')
  }
  const copy = (from: string) => {
    const source = all.find(one => one.kind === from)
    if (!source || from === kind) return
    form.fill(copiedAnswers(kind, next, source))
    show('diff')
  }
  return (
    <>
      {active && (
        <Performs
          actions={actions}
          save={form.go}
          trial={trial}
          copy={copy}
          show={show}
          row={row}
          version={side === 'history' ? version : undefined}
        />
      )}
      <RuleFacts row={row} form={form} changes={changes.length} />
      <div className="oc-body">
        <Split label={say(['表单与改动的分隔', 'Between form and changes'])} start={66}>
          <div className="oc-form m-ask" role="form" aria-label={say(configScopes[kind])}>
            <Questions kind={kind} form={form} changes={changes} />
            {extra?.(row, active)}
          </div>
          <aside className="oc-side" ref={panel} tabIndex={-1} aria-label={say(sides[side])}>
            <SideTabs
              actions={actions}
              side={side}
              changes={changes.length}
              open={to => (to === 'simulate' && changes.length > 0 ? trial() : setSide(to))}
            />
            <div className="oc-panel">
              <SidePanel
                calls={calls}
                actions={actions}
                kind={kind}
                side={side}
                changes={changes}
                fields={fields}
                tried={tried}
                version={version}
                choose={setVersion}
              />
            </div>
          </aside>
        </Split>
      </div>
    </>
  )
}
