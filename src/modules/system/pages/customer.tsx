import { BanCircle as Ban, Chat, Phone, Tick, User } from '@blueprintjs/icons'
import { useState, type ComponentType } from 'react'
import { useDispatch } from 'react-redux'
import { customerActions, type ContactGroup } from '#commands/system/content.ts'
import {
  contactTypes,
  hoursText,
  levelOf,
  levels,
  scenes,
  type ContactType,
  type Scene,
} from '#src/areas/content/contact.ts'
import { switches } from '#src/areas/people/people.ts'
import type { Result } from '#src/contract/call.ts'
import { cityOptions } from '#src/contract/places.ts'
import { colon, comma } from '#src/domain/text.ts'
import { timeFull, unixNow } from '#src/domain/time.ts'
import { State, textColumn, wordColumn, Words, type States } from '#src/kit/cells.tsx'
import { dispatchRead, useRead } from '#src/kit/data.ts'
import { Choice, Keyword } from '#src/kit/filters.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { Picture } from '#src/kit/image.tsx'
import { Chosen, Inspector } from '#src/kit/inspector.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { Badge, Fact, Facts, Section, When } from '#src/kit/show.tsx'
import { Answer } from '#src/kit/states.tsx'
import { lang, useLang, useSay } from '#src/kit/text.ts'
import { useList } from '#src/kit/uselist.ts'
import { useAction, useAnswered, usePane, useWorkbench } from '#src/kit/workbench.ts'
import { customer as calls, type ContactRow } from '../contract/customer.ts'
import '../parts/content.css'

const icons: Record<ContactType, ComponentType<{ size?: number }>> = {
  phone: Phone,
  wecom: User,
  chat: Chat,
}
const qrStates = {
  expiring: ['将到期', 'Runs out soon'],
  expired: ['已过期', 'Expired'],
} as const
type Asked = { scene: Scene; city: number; mall?: number; time?: number }
type Route = {
  asked: { scene: Scene; time: number; city: string }
  told: Result<typeof calls.testRoute>
}

/** Where a contact answers: the country, a city, or a mall in it. */
const Where = ({ row }: { row: ContactRow }) => (
  <>{row.mall_name || row.city_name || <Words of={['全国', 'National']} />}</>
)
const states: States<'off' | 'expired' | 'expiring' | 'open' | 'closed'> = {
  off: { text: switches.off, icon: Ban },
  expired: { text: ['二维码已过期', 'QR expired'], tone: 'warn' },
  expiring: { text: ['二维码将到期', 'QR runs out'], tone: 'warn' },
  open: { text: ['接待中', 'Open'], tone: 'good', icon: Tick },
  closed: { text: ['非工作时间', 'Closed'] },
}
const stateOf = ({ status, qr_state, open_now }: ContactRow): keyof typeof states => {
  if (status === 'off') return 'off'
  if (qr_state === 'expired' || qr_state === 'expiring') return qr_state
  return open_now ? 'open' : 'closed'
}
const Now = ({ row }: { row: ContactRow }) => (
  <State of={stateOf(row)} in={states} title={row.off_reason} />
)

/** Whom a consumer would reach, level by level. */
const Trial = ({ of }: { of: Route }) => {
  const say = useSay()
  const { chosen, in_hours, reply, steps } = of.told
  return (
    <Section
      title={say(['试算：{scene} · {city} · {time}', 'Trial: {scene} · {city} · {time}'], {
        scene: say(scenes[of.asked.scene]),
        city: of.asked.city,
        time: timeFull(of.asked.time).slice(0, 16),
      })}
    >
      {chosen ? (
        <p>
          <Badge tone="info">{say(contactTypes[chosen.type])}</Badge>{' '}
          <b className="m-anywhere">{chosen.value || say(['默认客服', 'Default chat'])}</b>
          {say(['（', ' ('])}
          <Where row={chosen} />
          {say(['）', ')'])}
          {in_hours
            ? say(['，在工作时间内', ', on duty'])
            : say(['，非工作时间，自动回复：{reply}', ', off duty, answers: {reply}'], { reply })}
        </p>
      ) : (
        <p className="m-bad">{say(['没有任何可用渠道', 'Nobody can be reached'])}</p>
      )}
      <ol className="c-steps">
        {steps.map(step => (
          <li key={step.level} data-chosen={step.chosen || undefined}>
            {say(levels[step.level])}
            {say(colon)}
            {say(['可用 {n}', '{n} usable'], { n: step.usable.length })}
            {step.expired.length > 0 &&
              say(['，二维码过期 {n}', ', {n} expired'], { n: step.expired.length })}
            {step.off.length > 0 && say(['，停用 {n}', ', {n} off'], { n: step.off.length })}
            {step.chosen && say(['，由这一级接待', ': this level answers'])}
          </li>
        ))}
      </ol>
    </Section>
  )
}

/** The contacts of one place, in the order in which they are tried; and who arranges them. */
const Order = ({ row }: { row: ContactRow }) => {
  const say = useSay()
  const pane = usePane()
  const { run } = useWorkbench()
  const of = { scene: row.scene, city_id: row.city_id, mall_id: row.mall_id }
  const { currentData: group, ...read } = useRead(calls.group, of)
  useAction(customerActions.sort, () => {
    if (!group) return
    const entries = group.list.map((one, at) => ({
      id: one.id,
      text: `${at + 1}. ${say(contactTypes[one.type])} ${one.value}`,
    }))
    const { list_version } = group
    const on: ContactGroup = { ...of, name: say(scenes[row.scene]), list_version, entries }
    void run(customerActions.sort, [], { pane: pane.id, on })
  })
  return (
    <Section title={say(['同场景渠道的顺序', 'Routing order'])}>
      <Answer of={{ ...read, data: group }}>
        {({ list }) => (
          <ol className="c-steps">
            {list.map(one => (
              <li key={one.id} data-chosen={one.id === row.id || undefined}>
                {say(contactTypes[one.type])} <span className="m-anywhere">{one.value}</span>{' '}
                <Now row={one} />
              </li>
            ))}
          </ol>
        )}
      </Answer>
    </Section>
  )
}

const ContactDetail = ({ row, route }: { row: ContactRow; route: Route | undefined }) => {
  const say = useSay()
  return (
    <Inspector
      title={`${say(scenes[row.scene])} · ${row.mall_name || row.city_name || say(['全国', 'National'])}`}
      aside={<Now row={row} />}
    >
      {route && <Trial of={route} />}
      <Section title={say(['渠道', 'Contact'])}>
        <Facts>
          <Fact label={say(['方式', 'Kind'])}>{say(contactTypes[row.type])}</Fact>
          <Fact label={say(['范围', 'Level'])}>
            {say(levels[levelOf({ city_id: row.city_id || null, mall_id: row.mall_id })])}
          </Fact>
          <Fact wide label={say(['号码或链接', 'Number or link'])}>
            <span className="m-anywhere">{row.value || '—'}</span>
          </Fact>
          <Fact wide label={say(['工作时间', 'Hours'])}>
            {hoursText(row.hours, lang())}
          </Fact>
          <Fact wide label={say(['自动回复', 'Auto reply'])}>
            {row.auto_reply || (
              <span className="m-muted">{say(['使用默认回复', 'Default reply'])}</span>
            )}
          </Fact>
          {row.expires_at !== null && (
            <Fact label={say(['二维码到期', 'QR runs out'])}>
              <When at={row.expires_at} />
            </Fact>
          )}
          {row.off_reason && (
            <Fact wide label={say(['停用原因', 'Disabled because'])}>
              {row.off_reason}
            </Fact>
          )}
        </Facts>
        {row.qr && (
          <div className="c-wide" style={{ width: 140, marginTop: 8 }}>
            <Picture of={row.qr} label={say(['二维码', 'QR'])} />
          </div>
        )}
      </Section>
      <Order row={row} />
    </Inspector>
  )
}

const Kind = ({ type }: { type: ContactType }) => {
  const Icon = icons[type]
  return (
    <>
      <Icon size={12} /> <Words of={contactTypes[type]} />
    </>
  )
}
const Hours = ({ row }: { row: ContactRow }) => <>{hoursText(row.hours, useLang())}</>
const columns: readonly Column<ContactRow>[] = [
  wordColumn('scene', ['场景', 'Scene'], 76, scenes),
  {
    key: 'where',
    title: ['范围', 'Where'],
    width: 100,
    grow: true,
    cell: row => <Where row={row} />,
  },
  {
    ...wordColumn('type', ['方式', 'Kind'], 164, contactTypes),
    cell: row => <Kind type={row.type} />,
  },
  { ...textColumn('value', ['号码或链接', 'Number or link'], 124), grow: true },
  {
    key: 'hours',
    title: ['工作时间', 'Hours'],
    width: 200,
    cell: row => <Hours row={row} />,
    words: row => hoursText(row.hours, lang()),
  },
  {
    key: 'priority',
    title: ['优先级', 'Priority'],
    width: 46,
    align: 'end',
    cell: row => row.priority + 1,
  },
  { key: 'state', title: ['状态', 'State'], width: 110, cell: row => <Now row={row} /> },
  { ...textColumn('auto_reply', ['自动回复', 'Auto reply'], 180), optional: true },
]

/** What the routing was last asked, and what it told. */
const useTrial = (cities: readonly { id: number; city_name: string }[]) => {
  const dispatch = useDispatch()
  const [route, setRoute] = useState<Route | undefined>(undefined)
  useAnswered(customerActions.testRoute, asked => {
    const { scene, city, mall, time } = asked as Asked
    const input = { scene, city_id: city, mall_id: mall ?? 0, time: time ?? unixNow() }
    const name = cities.find(one => one.id === city)?.city_name ?? `#${city}`
    dispatchRead(dispatch as never, calls.testRoute, input, true).then(
      told => setRoute({ asked: { scene, time: input.time, city: name }, told }),
      () => setRoute(undefined),
    )
  })
  return route
}

/** How consumers reach people: by scene and place, who is on duty, and who would answer. */
export default function ServiceContacts() {
  const say = useSay()
  const list = useList(calls.lst)
  const cities = useRead(cityOptions, { pageSize: 100 }).data?.list ?? []
  const uncovered = useRead(calls.lst, { pageSize: 1 }).data?.uncovered ?? []
  const route = useTrial(cities)
  return (
    <ListDetail>
      <List
        of={list}
        label={say(['客服渠道', 'Contacts'])}
        columns={columns}
        actions={Object.values(customerActions)}
        aside={
          uncovered.length > 0 && (
            <Badge
              tone="bad"
              title={uncovered
                .map(one => `${one.city_name} ${say(scenes[one.scene])}`)
                .join(say(comma))}
            >
              {say(['{n} 个场景无人接待', '{n} places without anybody'], { n: uncovered.length })}
            </Badge>
          )
        }
        filters={
          <>
            <Keyword of={list} placeholder={say(['号码或链接', 'Number or link'])} />
            <Choice of={list} by="scene" label={say(['场景', 'Scene'])} words={scenes} />
            <Choice
              of={list}
              by="city_id"
              label={say(['城市', 'City'])}
              named
              options={[
                { value: '', label: say(['全部', 'All']) },
                { value: 0, label: say(['全国', 'National']) },
                ...cities.map(one => ({ value: one.id, label: one.city_name })),
              ]}
            />
            <Choice of={list} by="type" label={say(['方式', 'Kind'])} words={contactTypes} />
            <Choice of={list} by="status" label={say(['状态', 'State'])} words={switches} />
            <Choice of={list} by="qr_state" label={say(['二维码', 'QR'])} words={qrStates} />
          </>
        }
      />
      {route && list.loaded && !list.focusedRow ? (
        <div className="c-inspect">
          <Trial of={route} />
        </div>
      ) : (
        <Chosen of={list} none={say(['选择一个客服渠道', 'Choose a contact'])}>
          {row => <ContactDetail row={row} route={route} />}
        </Chosen>
      )}
    </ListDetail>
  )
}
