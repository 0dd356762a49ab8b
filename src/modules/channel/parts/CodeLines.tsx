import { Button, Checkbox, InputGroup, NumericInput } from '@blueprintjs/core'
import { useEffect, useState, type ReactNode } from 'react'
import { codeEditActions as actions } from '#commands/channel/codeEdit.ts'
import type { VerifyWindow } from '#src/areas/channelCode/channelCode.ts'
import { clock, WEIGHT_MOST, weekdays } from '#src/areas/channelCode/codeRules.ts'
import { minuteOf } from '#src/areas/welcome/hours.ts'
import { SmallTable } from '#src/kit/cells.tsx'
import type { FormState } from '#src/kit/form.tsx'
import { FormPart } from '#src/kit/formpage.tsx'
import { Keyed } from '#src/kit/keyed.tsx'
import { Badge } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import type { CodeAnswers, FormMember, FormPerson, FormShift } from './codeAsks.ts'
import './channel.css'

const answersOf = (form: FormState) => form.answers as unknown as CodeAnswers
const other = <T,>(all: readonly T[], at: number, more: Partial<T>): T[] =>
  all.map((one, nth) => (nth === at ? { ...one, ...more } : one))
const without = <T,>(all: readonly T[], at: number): T[] => all.filter((_, nth) => nth !== at)

const Out = ({ label, does }: { label: string; does: () => void }) => (
  <Button size="small" variant="minimal" className="ch-out" aria-label={label} onClick={does}>
    ×
  </Button>
)
/** A minute of the day, typed as a clock shows it. */
export const Clock = ({
  label,
  value,
  change,
  id,
}: {
  label: string
  value: number
  change: (minute: number) => void
  id?: string
}) => {
  const [typed, setTyped] = useState(clock(value))
  useEffect(() => {
    setTyped(now => (minuteOf(now) === value ? now : clock(value)))
  }, [value])
  return (
    <InputGroup
      size="small"
      {...(id && { id })}
      aria-label={label}
      value={typed}
      maxLength={5}
      intent={minuteOf(typed) === undefined ? 'danger' : 'none'}
      onValueChange={next => {
        const plain = next.normalize('NFKC')
        setTyped(plain)
        const minute = minuteOf(plain)
        if (minute !== undefined) change(minute)
      }}
      onBlur={() => setTyped(clock(value))}
    />
  )
}
const Days = ({ of, change }: { of: readonly number[]; change: (days: number[]) => void }) => {
  const say = useSay()
  return (
    <span className="ch-days">
      {weekdays.map(([zh, en], at) => {
        const day = at + 1
        const isOn = of.includes(day)
        return (
          <button
            key={en}
            type="button"
            aria-pressed={isOn}
            aria-label={say([zh, en])}
            onClick={() =>
              change(isOn ? of.filter(one => one !== day) : [...of, day].sort((a, b) => a - b))
            }
          >
            {say([zh.slice(1), en.slice(0, 2)])}
          </button>
        )
      })}
    </span>
  )
}
const Named = ({ of }: { of: FormPerson }) => (
  <>
    {of.name} {of.unable && <Badge tone="bad">{of.unable}</Badge>}
  </>
)
const memberCells = (
  { one, at, all }: { one: FormMember; at: number; all: readonly FormMember[] },
  change: (next: FormMember[]) => void,
  say: ReturnType<typeof useSay>,
): ReactNode[] => {
  const total = all.reduce((sum, each) => sum + each.weight, 0)
  return [
    <Named key="name" of={one} />,
    <NumericInput
      key="weight"
      aria-label={say(['{name} 的权重', 'Weight of {name}'], { name: one.name })}
      min={1}
      max={WEIGHT_MOST}
      style={{ width: 56 }}
      buttonPosition="none"
      value={one.weight}
      onValueChange={value => change(other(all, at, { weight: Math.round(value) }))}
    />,
    total > 0 ? `${Math.round((one.weight * 100) / total)}%` : '—',
    <NumericInput
      key="cap"
      aria-label={say(['{name} 的每日上限', 'Cap of {name}'], { name: one.name })}
      min={0}
      max={100_000}
      style={{ width: 72 }}
      buttonPosition="none"
      placeholder={say(['不限', 'No cap'])}
      value={one.day_cap ?? ''}
      onValueChange={(value, typed) =>
        change(other(all, at, { day_cap: typed === '' ? null : Math.round(value) }))
      }
    />,
    <Out
      key="out"
      label={say(['移除 {name}', 'Remove {name}'], { name: one.name })}
      does={() => change(without(all, at))}
    />,
  ]
}
/** The people who receive scans: how often compared to the others, and how many a day. */
export const MemberLines = ({ form }: { form: FormState }) => {
  const say = useSay()
  const all = answersOf(form).members
  // Whoever is taken out is on no shift any more.
  const change = (next: FormMember[]) => {
    const known = new Set(next.map(one => one.userid))
    form.fill({
      members: next,
      shifts: answersOf(form).shifts.map(one => ({
        ...one,
        userids: one.userids.filter(each => known.has(each)),
      })),
    })
  }
  return (
    <FormPart of={form} name="members" className="ch-members">
      {all.length === 0 ? (
        <p className="m-muted">
          <Keyed
            text={['还没有接待成员，按 {add} 添加', 'No members yet: {add} adds some']}
            by={{ add: actions.addMembers }}
          />
        </p>
      ) : (
        <SmallTable
          head={[
            ['成员', 'Member'],
            ['权重', 'Weight'],
            ['占比', 'Share'],
            ['每日上限', 'Daily cap'],
            ['', ''],
          ]}
          rows={all.map((one, at) => ({ one, at, all }))}
          keyOf={line => line.one.userid}
          cells={line => memberCells(line, change, say)}
        />
      )}
    </FormPart>
  )
}
/** The people who receive where no member can, in this order. */
export const BackupLines = ({ form }: { form: FormState }) => {
  const say = useSay()
  const all = answersOf(form).backups
  return (
    <FormPart of={form} name="backups">
      <p className="m-muted">
        {say([
          '无人当班或全部达到上限时由备用成员接待；备用也已满时，最后一位仍会接待并记录提醒',
          'Used when nobody is on duty or all are at cap; if backups are full too, the last one still receives and you are alerted',
        ])}
      </p>
      {all.map((one, at) => (
        <div key={one.userid} className="ch-line">
          <span>
            {at + 1}. <Named of={one} />
          </span>
          <Out
            label={say(['移除 {name}', 'Remove {name}'], { name: one.name })}
            does={() => form.change('backups', without(all, at))}
          />
        </div>
      ))}
    </FormPart>
  )
}
type ShiftProps = {
  of: FormShift
  n: number
  members: readonly FormMember[]
  change: (more: Partial<FormShift>) => void
  remove: () => void
}
const ShiftLine = ({ of, n, members, change, remove }: ShiftProps) => {
  const say = useSay()
  const turned = (userid: string) =>
    of.userids.includes(userid) ? of.userids.filter(one => one !== userid) : [...of.userids, userid]
  return (
    <div role="group" className="ch-line" aria-label={say(['班次 {n}', 'Shift {n}'], { n })}>
      <Days of={of.weekdays} change={days => change({ weekdays: days })} />
      <Clock
        label={say(['开始', 'From'])}
        value={of.from_min}
        change={from_min => change({ from_min })}
      />
      <span aria-hidden>–</span>
      <Clock
        label={say(['结束', 'Until'])}
        value={of.to_min}
        change={to_min => change({ to_min })}
      />
      <Checkbox
        checked={of.overnight}
        label={say(['次日结束', 'Overnight'])}
        onChange={() => change({ overnight: !of.overnight })}
      />
      <Out label={say(['删除班次 {n}', 'Delete shift {n}'], { n })} does={remove} />
      <span className="ch-people">
        {members.map(one => (
          <button
            key={one.userid}
            type="button"
            aria-pressed={of.userids.includes(one.userid)}
            onClick={() => change({ userids: turned(one.userid) })}
          >
            {one.name}
          </button>
        ))}
        {members.length === 0 && (
          <span className="m-muted">{say(['请先添加接待成员', 'Add members first'])}</span>
        )}
      </span>
    </div>
  )
}
/** A shift as it begins: the mall's hours, with everybody. */
export const freshShift = ({ members, shifts }: CodeAnswers): FormShift => ({
  weekdays: [1, 2, 3, 4, 5, 6, 7].filter(
    day => !shifts.some(shift => shift.weekdays.includes(day)),
  ),
  from_min: 600,
  to_min: 1320,
  overnight: false,
  userids: members.map(one => one.userid),
})
/** The hours at which members are on duty; without any all of them always are. */
export const ShiftLines = ({ form }: { form: FormState }) => {
  const { shifts, members } = answersOf(form)
  return (
    <FormPart of={form} name="shifts">
      {shifts.length === 0 && (
        <p className="m-muted">
          <Keyed
            text={[
              '没有班次，所有成员全天接待；按 {add} 添加',
              'No shifts: everyone receives all day; {add} adds one',
            ]}
            by={{ add: actions.addShift }}
          />
        </p>
      )}
      {shifts.map((one, at) => (
        <ShiftLine
          key={at}
          of={one}
          n={at + 1}
          members={members}
          change={more => form.change('shifts', other(shifts, at, more))}
          remove={() => form.change('shifts', without(shifts, at))}
        />
      ))}
    </FormPart>
  )
}
const freshWindow: VerifyWindow = { weekdays: [1, 2, 3, 4, 5, 6, 7], from_min: 600, to_min: 1320 }
/** The hours at which new contacts are let in at once. */
export const WindowLines = ({ form }: { form: FormState }) => {
  const say = useSay()
  const { windows, verify_mode } = answersOf(form)
  if (verify_mode !== 'by_time') return null
  const put = (next: VerifyWindow[]) => form.change('windows', next)
  return (
    <FormPart of={form} name="windows">
      {windows.map((one, at) => (
        <div
          key={at}
          role="group"
          className="ch-line"
          aria-label={say(['自动通过时段 {n}', 'Auto-accept hours {n}'], { n: at + 1 })}
        >
          <Days of={one.weekdays} change={days => put(other(windows, at, { weekdays: days }))} />
          <Clock
            label={say(['开始', 'From'])}
            value={one.from_min}
            change={from_min => put(other(windows, at, { from_min }))}
          />
          <span aria-hidden>–</span>
          <Clock
            label={say(['结束', 'Until'])}
            value={one.to_min}
            change={to_min => put(other(windows, at, { to_min }))}
          />
          <Out
            label={say(['删除时段 {n}', 'Delete hours {n}'], { n: at + 1 })}
            does={() => put(without(windows, at))}
          />
        </div>
      ))}
      <Button
        size="small"
        variant="minimal"
        text={say(['添加自动通过时段', 'Add auto-accept hours'])}
        onClick={() => put([...windows, freshWindow])}
      />
    </FormPart>
  )
}
