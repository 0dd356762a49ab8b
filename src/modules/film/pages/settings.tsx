import { CrossCircle, Pause, Tick } from '@blueprintjs/icons'
import { useState } from 'react'
import { useDispatch } from 'react-redux'
import { filmSettingActions as actions } from '#commands/film/settings.ts'
import { ticketProviders } from '#src/areas/film/film.ts'
import { termNames, type FilmNumber } from '#src/areas/film/filmSettings.ts'
import type { Result, Sent } from '#src/contract/call.ts'
import { percent, yuan } from '#src/domain/money.ts'
import type { Text } from '#src/domain/text.ts'
import { SmallTable, State, textColumn, timeColumn, type States } from '#src/kit/cells.tsx'
import { dispatchRead } from '#src/kit/data.ts'
import { Choice } from '#src/kit/filters.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { Chosen, Inspector } from '#src/kit/inspector.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { CityFilter } from '#src/kit/places.tsx'
import { Fact, Facts, Money, Section, When } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import { useList } from '#src/kit/uselist.ts'
import { useAnswered } from '#src/kit/workbench.ts'
import { filmSettings as calls, type FilmSettingRow as Row } from '../contract/settings.ts'

const states: States<'on' | 'paused' | 'closed'> = {
  on: { text: ['售票中', 'On sale'], tone: 'good', icon: Tick },
  paused: { text: ['已暂停', 'Paused'], tone: 'warn', icon: Pause },
  closed: { text: ['不售卖', 'Not sold'], icon: CrossCircle },
}
const stateOf = ({ paused_at, terms }: Row): keyof typeof states => {
  if (paused_at !== null) return 'paused'
  return terms.is_open.value ? 'on' : 'closed'
}
const placeOf = ({ city_id, city_name }: Row): Text =>
  city_id === null ? ['默认', 'Default'] : [city_name, city_name]
/** The providers that are on, in the order that they are asked in. */
const Providers = ({ of }: { of: Row['terms']['providers']['value'] }) => {
  const say = useSay()
  const on = of.filter(one => one.on).map(one => say(ticketProviders[one.key]))
  return <>{on.join(' → ') || say(['全部停用', 'None'])}</>
}
const columns: readonly Column<Row>[] = [
  {
    key: 'place',
    title: ['城市', 'City'],
    width: 96,
    cell: row => <Place row={row} />,
  },
  {
    key: 'state',
    title: ['状态', 'State'],
    width: 96,
    cell: row => <State of={stateOf(row)} in={states} />,
  },
  {
    key: 'providers',
    title: ['出票渠道', 'Providers'],
    width: 170,
    grow: true,
    cell: row => <Providers of={row.terms.providers.value} />,
  },
  {
    key: 'markup',
    title: termNames.markup_bp,
    width: 76,
    align: 'end',
    cell: row => percent(row.terms.markup_bp.value),
  },
  {
    key: 'subsidy',
    title: ['每座补贴', 'Subsidy'],
    width: 92,
    align: 'end',
    cell: row => <Money cents={row.terms.subsidy_cents.value} />,
  },
  {
    key: 'fee',
    title: ['每座服务费', 'Fee per seat'],
    width: 100,
    align: 'end',
    cell: row => <Money cents={row.terms.service_fee_cents.value} />,
  },
  {
    key: 'blocked',
    title: ['屏蔽影院', 'Blocked'],
    width: 88,
    align: 'end',
    cell: row => row.blocked.length,
  },
  textColumn('by', ['修改人', 'By'], 84, of => of || '—'),
  timeColumn('updated_at', ['修改时间', 'Changed'], 116),
]
const Place = ({ row }: { row: Row }) => <>{useSay()(placeOf(row))}</>

const shown = Object.keys(termNames) as FilmNumber[]
/** A term as it holds: a rate, a sum or a plain number, as its name ends. */
const valueOf = ({ terms }: Row, key: FilmNumber): string => {
  const { value } = terms[key]
  if (key.endsWith('_bp')) return percent(value)
  return key.endsWith('_cents') ? `¥${yuan(value)}` : String(value)
}
const Detail = ({ row }: { row: Row }) => {
  const say = useSay()
  const source = (own: boolean) =>
    say(own && row.city_id !== null ? ['本城市', 'Own'] : ['默认', 'Default'])
  return (
    <Inspector title={say(placeOf(row))} aside={<State of={stateOf(row)} in={states} />}>
      {row.paused_at !== null && (
        <Section title={say(['暂停售票', 'Paused'])}>
          <Facts>
            <Fact wide label={say(['原因', 'Reason'])}>
              {row.paused_reason}
            </Fact>
            <Fact label={say(['操作人', 'By'])}>{row.paused_by || say(['系统', 'System'])}</Fact>
            <Fact label={say(['时间', 'At'])}>
              <When at={row.paused_at} />
            </Fact>
          </Facts>
        </Section>
      )}
      <Section title={say(['生效值', 'Settings in effect'])}>
        <SmallTable
          head={[
            ['项目', 'Term'],
            ['生效值', 'Value'],
            ['来源', 'From'],
          ]}
          rows={shown}
          keyOf={key => key}
          cells={key => [say(termNames[key]), valueOf(row, key), source(row.terms[key].own)]}
        />
        <Facts>
          <Fact wide label={say(['出票渠道', 'Providers'])}>
            <Providers of={row.terms.providers.value} />
            <span className="m-muted">
              {say(['（{from}）', ' ({from})'], { from: source(row.terms.providers.own) })}
            </span>
          </Fact>
        </Facts>
        <p className="m-muted">
          {say(['修改只对之后的新订单生效。', 'Changes apply to new orders only.'])}
        </p>
      </Section>
      <Section title={say(['屏蔽影院（{n}）', 'Blocked cinemas ({n})'], { n: row.blocked.length })}>
        {row.blocked.length === 0 ? (
          <p className="m-muted">{say(['没有屏蔽的影院。', 'No cinema is blocked.'])}</p>
        ) : (
          <SmallTable
            head={[
              ['影院', 'Cinema'],
              ['编号', 'Number'],
              ['原因', 'Reason'],
              ['操作人', 'By'],
            ]}
            rows={row.blocked}
            keyOf={one => one.cinema_no}
            cells={one => [one.cinema_name, one.cinema_no, one.reason, one.by]}
          />
        )}
      </Section>
    </Inspector>
  )
}
type Tested = Result<typeof calls.testProvider>
/** What a provider answered when it was last asked. */
const useTested = () => {
  const dispatch = useDispatch()
  const [told, setTold] = useState<Tested | undefined>(undefined)
  useAnswered(actions.testProvider, asked => {
    dispatchRead(
      dispatch as never,
      calls.testProvider,
      asked as Sent<typeof calls.testProvider>,
      true,
    ).then(setTold, () => setTold(undefined))
  })
  return told
}
const provided: States<'ok' | 'off'> = {
  ok: { text: ['连接正常', 'Connected'], tone: 'good', icon: Tick },
  off: { text: ['未连通', 'Not connected'], tone: 'bad', icon: CrossCircle },
}
const Answered = ({ of }: { of: Tested }) => {
  const say = useSay()
  return (
    <Section
      title={say(['{name} 的测试结果', 'Test of {name}'], {
        name: say(ticketProviders[of.provider]),
      })}
    >
      <Facts>
        <Fact label={say(['结果', 'Result'])}>
          <State of={of.ok ? 'ok' : 'off'} in={provided} />
        </Fact>
        <Fact label={say(['用时', 'Took'])}>{of.ms} ms</Fact>
        <Fact label={say(['预存款', 'Deposit'])}>
          {of.deposit_cents === null ? '—' : <Money cents={of.deposit_cents} />}
        </Fact>
        <Fact wide label={say(['渠道应答', 'It said'])}>
          {of.text}
        </Fact>
      </Facts>
    </Section>
  )
}
const paused = { 1: ['已暂停', 'Paused'], 0: ['未暂停', 'Not paused'] } as const

/** How film tickets are sold: the default, and what cities say for themselves. */
export default function FilmSettings() {
  const say = useSay()
  const list = useList(calls.lst)
  const tested = useTested()
  return (
    <ListDetail>
      <List
        of={list}
        label={say(['影票设置', 'Film settings'])}
        columns={columns}
        actions={Object.values(actions)}
        filters={
          <>
            <CityFilter of={list} />
            <Choice of={list} by="paused" label={say(['状态', 'State'])} words={paused} />
          </>
        }
      />
      <Chosen of={list} none={say(['选择默认或一个城市', 'Choose the default or a city'])}>
        {row => (
          <>
            {tested && <Answered of={tested} />}
            <Detail row={row} />
          </>
        )}
      </Chosen>
    </ListDetail>
  )
}
