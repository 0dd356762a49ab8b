import { BanCircle as Ban, Chat, Phone, Tick, User } from '@blueprintjs/icons'
import { useMemo, useState, type ComponentType } from 'react'
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
import type { Result } from '#src/contract/call.ts'
import { cityOptions } from '#src/contract/places.ts'
import { timeFull, unixNow } from '#src/domain/time.ts'
import { dispatchRead, useRead } from '#src/kit/data.ts'
import type { Column } from '#src/kit/grid.tsx'
import { Picture } from '#src/kit/image.tsx'
import { Choice, Keyword, List } from '#src/kit/list.tsx'
import { Badge, Fact, Facts, Section, When } from '#src/kit/show.tsx'
import { Split } from '#src/kit/split.tsx'
import { Empty, Failed, Loading } from '#src/kit/states.tsx'
import { useLang, useSay } from '#src/kit/text.ts'
import { useList } from '#src/kit/uselist.ts'
import { useAction, useAnswered, usePane, useWorkbench } from '#src/kit/workbench.ts'
import { customer as calls, type ContactRow } from '../contract/customer.ts'
import '../parts/content.css'

const icons: Record<ContactType, ComponentType<{ size?: number }>> = {
  phone: Phone,
  wecom: User,
  chat: Chat,
}
type Route = {
  asked: { scene: Scene; time: number; city: string }
  told: Result<typeof calls.testRoute>
}

const Where = ({ row }: { row: ContactRow }) => {
  const say = useSay()
  return (
    <>
      {row.mall_id > 0
        ? row.mall_name
        : row.city_id === 0
          ? say(['全国', 'National'])
          : row.city_name}
    </>
  )
}
const State = ({ row }: { row: ContactRow }) => {
  const say = useSay()
  if (row.status === 'off')
    return (
      <Badge icon={Ban} title={row.off_reason}>
        {say(['停用', 'Off'])}
      </Badge>
    )
  if (row.qr_state === 'expired')
    return <Badge tone="bad">{say(['二维码已过期', 'QR expired'])}</Badge>
  if (row.qr_state === 'expiring')
    return <Badge tone="warn">{say(['二维码将到期', 'QR runs out'])}</Badge>
  return row.open_now ? (
    <Badge tone="good" icon={Tick}>
      {say(['接待中', 'Open'])}
    </Badge>
  ) : (
    <Badge>{say(['非工作时间', 'Closed'])}</Badge>
  )
}

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
          <b className="c-clip">{chosen.value || say(['默认客服', 'Default chat'])}</b>（
          <Where row={chosen} />）
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
            {say(levels[step.level])}：{say(['可用 {n}', '{n} usable'], { n: step.usable.length })}
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

const Inspector = ({ row, route }: { row: ContactRow; route: Route | undefined }) => {
  const say = useSay()
  const lang = useLang()
  const pane = usePane()
  const { run } = useWorkbench()
  const of = { scene: row.scene, city_id: row.city_id, mall_id: row.mall_id }
  const { currentData: group, error, refetch } = useRead(calls.group, of)
  useAction(customerActions.sort, () => {
    if (!group) return
    const entries = group.list.map((one, at) => ({
      id: one.id,
      text: `${at + 1}. ${say(contactTypes[one.type])} ${one.value}`,
    }))
    void run(customerActions.sort, [], {
      pane: pane.id,
      on: {
        ...of,
        name: say(scenes[row.scene]),
        list_version: group.list_version,
        entries,
      } satisfies ContactGroup,
    })
  })
  return (
    <div className="c-inspect">
      <header>
        <h2>
          {say(scenes[row.scene])} · <Where row={row} />
        </h2>
        <State row={row} />
      </header>
      {route && <Trial of={route} />}
      <Section title={say(['渠道', 'Contact'])}>
        <Facts>
          <Fact label={say(['方式', 'Kind'])}>{say(contactTypes[row.type])}</Fact>
          <Fact label={say(['范围', 'Level'])}>
            {say(levels[levelOf({ city_id: row.city_id || null, mall_id: row.mall_id })])}
          </Fact>
          <Fact wide label={say(['号码或链接', 'Number or link'])}>
            <span className="c-clip">{row.value || '—'}</span>
          </Fact>
          <Fact wide label={say(['工作时间', 'Hours'])}>
            {hoursText(row.hours, lang)}
          </Fact>
          <Fact wide label={say(['自动回复', 'Auto reply'])}>
            {row.auto_reply || (
              <span className="m-muted">{say(['使用默认语', 'The usual words'])}</span>
            )}
          </Fact>
          {row.expires_at !== null && (
            <Fact label={say(['二维码到期', 'QR runs out'])}>
              <When at={row.expires_at} />
            </Fact>
          )}
          {row.off_reason && (
            <Fact wide label={say(['停用原因', 'Why off'])}>
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
      <Section title={say(['同一处的先后', 'Who is tried first here'])}>
        {error ? (
          <Failed error={error} retry={refetch} />
        ) : !group ? (
          <Loading lines={3} />
        ) : (
          <ol className="c-steps">
            {group.list.map(one => (
              <li key={one.id} data-chosen={one.id === row.id || undefined}>
                {say(contactTypes[one.type])} <span className="c-clip">{one.value}</span>{' '}
                <State row={one} />
              </li>
            ))}
          </ol>
        )}
      </Section>
    </div>
  )
}

/** How consumers reach people: by scene and place, who is on duty, and who would answer. */
export default function ServiceContacts() {
  const say = useSay()
  const lang = useLang()
  const dispatch = useDispatch()
  const list = useList(calls.lst)
  const cities = useRead(cityOptions, { pageSize: 100 })
  const gaps = useRead(calls.lst, { pageSize: 1 })
  const [route, setRoute] = useState<Route | undefined>(undefined)
  useAnswered(customerActions.testRoute, asked => {
    const input = {
      scene: asked.scene as Scene,
      city_id: asked.city as number,
      mall_id: (asked.mall as number | undefined) ?? 0,
      time: (asked.time as number | undefined) ?? unixNow(),
    }
    const city =
      cities.data?.list.find(one => one.id === input.city_id)?.city_name ?? `#${input.city_id}`
    dispatchRead(dispatch as never, calls.testRoute, input, true).then(
      told => setRoute({ asked: { scene: input.scene, time: input.time, city }, told }),
      () => setRoute(undefined),
    )
  })
  const columns = useMemo(
    (): Column<ContactRow>[] => [
      { key: 'scene', title: ['场景', 'Scene'], width: 76, cell: row => say(scenes[row.scene]) },
      {
        key: 'where',
        title: ['范围', 'Where'],
        width: 100,
        grow: true,
        cell: row => <Where row={row} />,
      },
      {
        key: 'type',
        title: ['方式', 'Kind'],
        width: 100,
        cell: row => {
          const Icon = icons[row.type]
          return (
            <span className="c-line" style={{ height: 32 }}>
              <Icon size={12} />
              {say(contactTypes[row.type])}
            </span>
          )
        },
      },
      {
        key: 'value',
        title: ['号码或链接', 'Number or link'],
        width: 124,
        grow: true,
        cell: row => row.value || <span className="m-muted">—</span>,
        words: row => row.value,
      },
      {
        key: 'hours',
        title: ['工作时间', 'Hours'],
        width: 126,
        cell: row => hoursText(row.hours, lang),
        words: row => hoursText(row.hours, lang),
      },
      {
        key: 'priority',
        title: ['优先', 'Priority'],
        width: 46,
        align: 'end',
        cell: row => row.priority + 1,
      },
      { key: 'state', title: ['状态', 'State'], width: 110, cell: row => <State row={row} /> },
      {
        key: 'auto_reply',
        title: ['自动回复', 'Auto reply'],
        width: 180,
        optional: true,
        cell: row => row.auto_reply,
        words: row => row.auto_reply,
      },
    ],
    [say, lang],
  )
  const uncovered = gaps.data?.uncovered ?? []
  return (
    <Split label={say(['列表与详情的分隔', 'Between list and detail'])} start={60}>
      <List
        of={list}
        label={say(['客服渠道', 'Contacts'])}
        columns={columns}
        actions={Object.values(customerActions)}
        onOpen={row => list.focus(row.id)}
        aside={
          uncovered.length > 0 && (
            <Badge
              tone="bad"
              title={uncovered.map(one => `${one.city_name} ${say(scenes[one.scene])}`).join('、')}
            >
              {say(['{n} 处无人接待', '{n} places without anybody'], { n: uncovered.length })}
            </Badge>
          )
        }
        filters={
          <>
            <Keyword of={list} placeholder={say(['号码或链接', 'Number or link'])} />
            <Choice
              of={list}
              by="scene"
              label={say(['场景', 'Scene'])}
              options={Object.entries(scenes).map(([value, text]) => ({ value, label: say(text) }))}
            />
            <Choice
              of={list}
              by="city_id"
              label={say(['城市', 'City'])}
              options={[
                { value: 0, label: say(['全国', 'National']) },
                ...(cities.data?.list ?? []).map(one => ({ value: one.id, label: one.city_name })),
              ]}
            />
            <Choice
              of={list}
              by="type"
              label={say(['方式', 'Kind'])}
              options={Object.entries(contactTypes).map(([value, text]) => ({
                value,
                label: say(text),
              }))}
            />
            <Choice
              of={list}
              by="status"
              label={say(['状态', 'State'])}
              options={[
                { value: 'on', label: say(['启用', 'On']) },
                { value: 'off', label: say(['停用', 'Off']) },
              ]}
            />
            <Choice
              of={list}
              by="qr_state"
              label={say(['二维码', 'QR'])}
              options={[
                { value: 'expiring', label: say(['将到期', 'Runs out soon']) },
                { value: 'expired', label: say(['已过期', 'Expired']) },
              ]}
            />
          </>
        }
      />
      {list.focusedRow ? (
        <Inspector row={list.focusedRow} route={route} />
      ) : list.loaded ? (
        <div className="c-inspect">
          {route && <Trial of={route} />}
          <Empty title={say(['选择一个客服渠道', 'Choose a contact'])} />
        </div>
      ) : (
        <Loading />
      )}
    </Split>
  )
}
