import { Button, InputGroup, TextArea } from '@blueprintjs/core'
import { areaWords } from '#src/areas/shipping/freight.ts'
import { comma, type Text } from '#src/domain/text.ts'
import { useSay } from '#src/kit/text.ts'
import type { Typed, TypedFree } from './freightTyped.ts'

/** What the fields of the editor tell a fault by; `tried`: the template was to be saved already. */
type Telling = { base: string; tried: boolean; fault: (at: string) => string | undefined }
type FieldProps = {
  telling: Telling
  at: string
  label: Text
  value: string
  change: (next: string) => void
}
const Fault = ({ telling: { base, fault }, at }: Pick<FieldProps, 'telling' | 'at'>) => (
  <div className="m-error" id={`${base}-${at}`} role={fault(at) ? 'alert' : undefined}>
    {fault(at)}
  </div>
)
export const PlacesField = ({ telling, at, label, value, change }: FieldProps) => {
  const say = useSay()
  return (
    <div className="oc-areas">
      <TextArea
        aria-label={say(label)}
        aria-invalid={Boolean(telling.fault(at))}
        aria-describedby={`${telling.base}-${at}`}
        rows={2}
        maxLength={4000}
        value={value}
        placeholder={say([
          '省或城市名，用顿号隔开；「全国」为所有省份',
          'Provinces or cities in Chinese, with commas',
        ])}
        onChange={event => change(event.target.value)}
      />
      <Fault telling={telling} at={at} />
    </div>
  )
}
const NumberField = ({ telling, at, label, value, change }: FieldProps) => {
  const say = useSay()
  return (
    <div style={{ width: 72 }}>
      <InputGroup
        size="small"
        aria-label={say(label)}
        aria-invalid={Boolean(telling.fault(at))}
        aria-describedby={`${telling.base}-${at}`}
        inputMode="decimal"
        maxLength={12}
        value={value}
        onValueChange={change}
      />
      <Fault telling={telling} at={at} />
    </div>
  )
}
/** What is wrong with the numbers of a group, each fault once. */
const GroupFaults = ({
  telling,
  at,
  names,
}: Pick<FieldProps, 'telling' | 'at'> & { names: readonly string[] }) => {
  const faults = new Set(names.map(name => telling.fault(`${at}.${name}`)).filter(Boolean))
  return (
    <>
      {[...faults].map(text => (
        <div key={text} className="m-error" role="alert">
          {text}
        </div>
      ))}
    </>
  )
}
const Remove = ({
  label,
  disabled = false,
  remove,
}: {
  label: string
  disabled?: boolean
  remove: () => void
}) => (
  <Button size="small" variant="minimal" disabled={disabled} aria-label={label} onClick={remove}>
    ×
  </Button>
)
type GroupProps<Of> = {
  of: Of
  n: number
  unit: string
  telling: Telling
  change: (more: Partial<Of>) => void
  remove: () => void
}
const fees = ['first', 'first_cents', 'next', 'next_cents']
/** A group of places and its fees; the only group can’t be taken out. */
const Group = ({
  of,
  n,
  unit,
  gap,
  isOnly,
  telling,
  change,
  remove,
}: GroupProps<Typed> & { gap: readonly string[]; isOnly: boolean }) => {
  const say = useSay()
  const at = `regions.${n}`
  const withGap = [of.areas.trim(), areaWords(gap)].filter(Boolean).join(comma[0])
  return (
    <section className="oc-group" aria-label={say(['第 {n} 组', 'Group {n}'], { n: n + 1 })}>
      <PlacesField
        telling={telling}
        at={`${at}.areas`}
        label={[`第 ${n + 1} 组地区`, `Places of group ${n + 1}`]}
        value={of.areas}
        change={areas => change({ areas })}
      />
      <div className="oc-fees">
        {say(['首', 'First'])}{' '}
        <NumberField
          telling={telling}
          at={`${at}.first`}
          label={['首件数量', 'First units']}
          value={of.first}
          change={first => change({ first })}
        />{' '}
        {unit}{' '}
        <NumberField
          telling={telling}
          at={`${at}.first_cents`}
          label={['首费（元）', 'Fee of the first (yuan)']}
          value={of.first_yuan}
          change={first_yuan => change({ first_yuan })}
        />{' '}
        {say(['元，续', 'yuan, then'])}{' '}
        <NumberField
          telling={telling}
          at={`${at}.next`}
          label={['续件数量', 'Next units']}
          value={of.next}
          change={next => change({ next })}
        />{' '}
        {unit}{' '}
        <NumberField
          telling={telling}
          at={`${at}.next_cents`}
          label={['续费（元）', 'Fee of the next (yuan)']}
          value={of.next_yuan}
          change={next_yuan => change({ next_yuan })}
        />{' '}
        {say(['元', 'yuan'])}
        <span className="m-fill" />
        {gap.length > 0 && (
          <Button size="small" variant="minimal" onClick={() => change({ areas: withGap })}>
            {say(['填入未覆盖地区', 'Put the rest here'])}
          </Button>
        )}
        <Remove
          label={say(['删除第 {n} 组', 'Take group {n} out'], { n: n + 1 })}
          disabled={isOnly}
          remove={remove}
        />
      </div>
      {telling.tried && <GroupFaults telling={telling} at={at} names={fees} />}
    </section>
  )
}
const FreeRule = ({ of, n, unit, telling, change, remove }: GroupProps<TypedFree>) => {
  const say = useSay()
  const at = `free_rules.${n}`
  return (
    <section className="oc-group" aria-label={say(['包邮条件 {n}', 'Rule {n}'], { n: n + 1 })}>
      <PlacesField
        telling={telling}
        at={`${at}.areas`}
        label={['包邮地区', 'Free to']}
        value={of.areas}
        change={areas => change({ areas })}
      />
      <div className="oc-fees">
        {say(['满', 'From'])}{' '}
        <NumberField
          telling={telling}
          at={`${at}.over_cents`}
          label={['包邮金额（元）', 'Amount (yuan)']}
          value={of.over_yuan}
          change={over_yuan => change({ over_yuan })}
        />{' '}
        {say(['元', 'yuan'])} {say(['且满', 'and'])}{' '}
        <NumberField
          telling={telling}
          at={`${at}.over_units`}
          label={['包邮数量', 'Units']}
          value={of.over_units}
          change={over_units => change({ over_units })}
        />{' '}
        {unit}
        <span className="m-muted">{say(['可只填一项', 'one is enough'])}</span>
        <span className="m-fill" />
        <Remove
          label={say(['删除包邮条件 {n}', 'Take rule {n} out'], { n: n + 1 })}
          remove={remove}
        />
      </div>
      {telling.tried && (
        <GroupFaults telling={telling} at={at} names={['over_cents', 'over_units']} />
      )}
    </section>
  )
}

const changedAt = <Of extends object>(all: readonly Of[], n: number, more: Partial<Of>): Of[] =>
  all.map((one, at) => (at === n ? { ...one, ...more } : one))
const without = <Of,>(all: readonly Of[], n: number): Of[] => all.filter((_, at) => at !== n)
type GroupsProps<Of> = Pick<GroupProps<Of>, 'unit' | 'telling'> & {
  all: readonly Of[]
  set: (next: Of[]) => void
}
export const Groups = ({
  all,
  unit,
  gap,
  telling,
  set,
}: GroupsProps<Typed> & { gap: readonly string[] }) => {
  const say = useSay()
  return (
    <>
      {all.map((one, n) => (
        <Group
          key={n}
          of={one}
          n={n}
          unit={unit}
          gap={gap}
          isOnly={all.length === 1}
          telling={telling}
          change={more => set(changedAt(all, n, more))}
          remove={() => set(without(all, n))}
        />
      ))}
      <div>
        <Button
          size="small"
          disabled={all.length >= 60}
          onClick={() =>
            set([...all, { areas: '', first: '1', first_yuan: '', next: '1', next_yuan: '' }])
          }
        >
          {say(['增加地区组', 'Add a group'])}
        </Button>
      </div>
    </>
  )
}
export const FreeRules = ({ all, unit, telling, set }: GroupsProps<TypedFree>) => {
  const say = useSay()
  return (
    <>
      {all.map((one, n) => (
        <FreeRule
          key={n}
          of={one}
          n={n}
          unit={unit}
          telling={telling}
          change={more => set(changedAt(all, n, more))}
          remove={() => set(without(all, n))}
        />
      ))}
      <div>
        <Button
          size="small"
          onClick={() => set([...all, { areas: '', over_yuan: '', over_units: '' }])}
        >
          {say(['增加包邮条件', 'Add a rule'])}
        </Button>
      </div>
    </>
  )
}
