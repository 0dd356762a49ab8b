import { Button, NumericInput } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import type { Action } from '#commands/command.ts'
import { channelSentence, QUOTA_MOST, unitCost } from '#src/areas/ecard/channel.ts'
import { percent } from '#src/domain/money.ts'
import { clause, colon } from '#src/domain/text.ts'
import { SmallTable } from '#src/kit/cells.tsx'
import type { FormState } from '#src/kit/form.tsx'
import { FormPart } from '#src/kit/formpage.tsx'
import { Keyed } from '#src/kit/keyed.tsx'
import { Money, Section } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import type { ChannelAnswers, FormLine } from './channelAsks.ts'

const linesIn = (form: FormState): FormLine[] =>
  (form.answers as unknown as ChannelAnswers | undefined)?.cards ?? []
type Props = {
  form: FormState
  /** Lines that are nobody's yet are taken out here; those of an open channel by an action. */
  drafted: boolean
  /** What adds a line. */
  adds: Action
}
type At = FormLine & { at: number }
type Told = { one: At; drafted: boolean; say: ReturnType<typeof useSay> }
/** The cells of a line, of which the share and the quota are written. */
const lineCells = (form: FormState, { one, drafted, say }: Told): ReactNode[] => {
  const lines = linesIn(form)
  const put = (at: number, more: Partial<FormLine>) =>
    form.change(
      'cards',
      lines.map((one, nth) => (nth === at ? { ...one, ...more } : one)),
    )
  return [
    one.name,
    <NumericInput
      key="share"
      aria-label={say(['{name} 折扣', 'Rate of {name}'], { name: one.name })}
      min={1}
      max={100}
      minorStepSize={0.01}
      style={{ width: 72 }}
      buttonPosition="none"
      value={one.discount_bp / 100}
      onValueChange={value => put(one.at, { discount_bp: Math.round(value * 100) })}
    />,
    <Money key="cost" cents={unitCost(one.price_cents, one.discount_bp)} />,
    <NumericInput
      key="quota"
      aria-label={say(['{name} 额度', 'Quota of {name}'], { name: one.name })}
      min={Math.max(1, one.issued_n)}
      max={QUOTA_MOST}
      style={{ width: 88 }}
      buttonPosition="none"
      value={one.quota_n}
      onValueChange={value => put(one.at, { quota_n: Math.round(value) })}
    />,
    one.issued_n,
    ...(drafted
      ? [
          <Button
            key="out"
            size="small"
            variant="minimal"
            aria-label={say(['移除 {name}', 'Remove {name}'], { name: one.name })}
            onClick={() =>
              form.change(
                'cards',
                lines.filter((_, at) => at !== one.at),
              )
            }
          >
            ×
          </Button>,
        ]
      : []),
  ]
}
/** The cards that a channel may have: the share of the price and the quota of each face. */
export const CardLines = ({ form, drafted, adds }: Props) => {
  const say = useSay()
  const lines = linesIn(form)
  return (
    <FormPart of={form} name="cards">
      {lines.length === 0 && (
        <p className="m-muted">
          <Keyed
            text={['还没有可售卡，按 {add} 添加', 'No cards yet: {add} adds one']}
            by={{ add: adds }}
          />
        </p>
      )}
      {lines.length > 0 && (
        <SmallTable
          head={[
            ['可售卡', 'Card'],
            ['折扣（%）', 'Rate (%)'],
            ['结算单价', 'Unit price'],
            ['额度', 'Quota'],
            ['已发', 'Issued'],
            ...(drafted ? [['', ''] as const] : []),
          ]}
          rows={lines.map((one, at) => ({ ...one, at }))}
          keyOf={one => one.attr_id}
          cells={one => lineCells(form, { one, drafted, say })}
        />
      )}
    </FormPart>
  )
}
/** The figures of the terms, live while they are written. */
export const Exposure = ({ form }: { form: FormState }) => {
  const say = useSay()
  const of = form.answers as unknown as ChannelAnswers | undefined
  if (!of) return null
  return (
    <Section title={say(['可得与最大敞口', 'Quota and maximum exposure'])}>
      <p role="status">
        {say(
          channelSentence({
            settle_type: of.settle_type,
            credit_cents: of.settle_type === 'monthly' ? (of.credit ?? 0) : 0,
            cards: of.cards,
          }),
        )}
      </p>
    </Section>
  )
}
/**
 * The changes of terms: what was issued keeps the old ones, and the new ones hold from the change
 * on.
 */
export const OldTerms = ({ form, was }: { form: FormState; was: readonly FormLine[] }) => {
  const say = useSay()
  const now = new Map(linesIn(form).map(one => [one.attr_id, one]))
  const changed = was.flatMap(one => {
    const next = now.get(one.attr_id)
    return next && (next.discount_bp !== one.discount_bp || next.quota_n !== one.quota_n)
      ? [{ one, next }]
      : []
  })
  if (changed.length === 0) return null
  return (
    <Section title={say(['可售卡的变更', 'Cards that change'])}>
      {changed.map(({ one, next }) => (
        <p key={one.attr_id}>
          {one.name}
          {say(colon)}
          {percent(one.discount_bp)} → {percent(next.discount_bp)}
          {say(clause)}
          {one.quota_n.toLocaleString()} → {next.quota_n.toLocaleString()}
          {one.issued_n > 0 &&
            say(['；已按 {old} 发出 {n} 张', '; {n} issued at {old}'], {
              old: percent(one.discount_bp),
              n: one.issued_n.toLocaleString(),
            })}
        </p>
      ))}
      <p className="m-muted">
        {say(['新条款只对保存之后的发卡生效', 'New terms apply to cards issued after saving'])}
      </p>
    </Section>
  )
}
