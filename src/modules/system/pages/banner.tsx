import { HTMLSelect } from '@blueprintjs/core'
import { useMemo } from 'react'
import { useLocation, useSearch } from 'wouter'
import { listNextTab, listPreviousTab } from '#commands/list.ts'
import { bannerActions } from '#commands/system/city.ts'
import {
  bannerPositions,
  bannerStates,
  clickRate,
  positionNames,
  type BannerPosition,
  type BannerState,
} from '#src/areas/content/banner.ts'
import { clickEntries, type ClickEntry } from '#src/areas/link/clicks.ts'
import { mallPicker } from '#src/contract/malls.ts'
import { cityOptions } from '#src/contract/places.ts'
import { percent } from '#src/domain/money.ts'
import { comma, type Text } from '#src/domain/text.ts'
import { DAY, dateOf, dayStart, timeFull, unixNow } from '#src/domain/time.ts'
import { Column, Columns } from '#src/kit/board-columns.tsx'
import { Board } from '#src/kit/board.tsx'
import { SmallTable, State, type States } from '#src/kit/cells.tsx'
import { skipToken, useRead, useWrite } from '#src/kit/data.ts'
import { useExport } from '#src/kit/exporting.ts'
import { Picture } from '#src/kit/image.tsx'
import { Keyed } from '#src/kit/keyed.tsx'
import { usePaneState } from '#src/kit/memory.ts'
import { Badge, Fact, Facts, Section, Span, When } from '#src/kit/show.tsx'
import { Answer, Empty, Loading } from '#src/kit/states.tsx'
import { Tabs, turned } from '#src/kit/tabs.tsx'
import { useSay } from '#src/kit/text.ts'
import { Toolbar } from '#src/kit/toolbar.tsx'
import { useBoard } from '#src/kit/useboard.ts'
import { useAction, usePane, useStageSubject } from '#src/kit/workbench.ts'
import { banner as calls, type BannerRow } from '../contract/banner.ts'
import { BannerDays } from '../parts/BannerDays.tsx'
import '../parts/content.css'

const states: States<BannerState> = {
  draft: { text: bannerStates.draft },
  online: { text: bannerStates.online, tone: 'good' },
  offline: { text: bannerStates.offline, tone: 'warn' },
  ended: { text: bannerStates.ended },
}
const positions = (Object.keys(bannerPositions) as BannerPosition[]).map(key => ({ key }))
const rateOf = (row: BannerRow) => {
  const rate = clickRate(row.clicks, row.views)
  return rate === null ? '—' : percent(rate)
}

/**
 * The periods of one place side by side, from a week ago to six weeks ahead: what follows what, and
 * where nothing is planned.
 */
const Timeline = ({
  rows,
  focused,
  onFocus,
}: {
  rows: readonly BannerRow[]
  focused: number | undefined
  onFocus: (id: number) => void
}) => {
  const say = useSay()
  const from = dayStart(unixNow()) - 7 * DAY
  const until = from + 49 * DAY
  const at = (time: number) =>
    (Math.max(0, Math.min(1, (time - from) / (until - from))) * 100).toFixed(2)
  const within = rows.filter(row => row.end_at > from && row.start_at < until)
  return (
    <Section
      title={say(['排期', 'Periods'])}
      aside={<span className="m-muted"> {say(['{n} 张', '{n}'], { n: within.length })}</span>}
    >
      <div className="c-time">
        <div className="c-time-scale" aria-hidden="true">
          {Array.from({ length: 7 }, (_, week) => (
            <i key={week} style={{ left: `${at(from + week * 7 * DAY)}%` }}>
              {dateOf(from + week * 7 * DAY).slice(5)}
            </i>
          ))}
          <i data-now style={{ left: `${at(unixNow())}%` }} />
        </div>
        {within.map(row => (
          <div className="c-time-row" key={row.id}>
            <button
              type="button"
              data-state={row.status}
              data-current={row.id === focused || undefined}
              style={{
                left: `${at(row.start_at)}%`,
                width: `${Number(at(row.end_at)) - Number(at(row.start_at))}%`,
              }}
              title={`${row.title} ${timeFull(row.start_at)} – ${timeFull(row.end_at)}`}
              onClick={() => onFocus(row.id)}
            >
              {row.title}
            </button>
          </div>
        ))}
        {within.length === 0 && (
          <p className="m-muted">{say(['这段时间没有安排。', 'Nothing is planned.'])}</p>
        )}
      </div>
    </Section>
  )
}
/** The people who clicked the banner lately, each one's repeats left out. */
const Clicks = ({ id }: { id: number }) => {
  const say = useSay()
  const clicks = useRead(calls.clicks, {
    banner_id: id,
    pageSize: 50,
    start_at: dayStart(unixNow()) - 30 * DAY,
  })
  const { data } = clicks
  return (
    <Section
      title={say(['近 30 天点击记录', 'Clicks in 30 days'])}
      aside={
        data && (
          <span className="m-muted">
            {' '}
            {say(['{pv} 次 · {uv} 人', '{pv} clicks · {uv} people'], { pv: data.pv, uv: data.uv })}
          </span>
        )
      }
    >
      <BannerDays banner_id={id} />
      <Answer of={clicks} lines={4} none={say(['还没有人点击。', 'Nobody clicked yet.'])}>
        {({ list }) => (
          <SmallTable
            head={[
              ['时间', 'When'],
              ['会员', 'Member'],
              ['入口', 'Entry'],
              ['城市', 'City'],
            ]}
            rows={list}
            keyOf={row => row.id}
            cells={row => [
              <When key="at" at={row.at} />,
              row.member_id === null ? (
                <span className="m-muted">{say(['未登录访客', 'A visitor'])}</span>
              ) : (
                `${row.nickname} ${row.phone_masked ?? ''}`.trim()
              ),
              row.entry in clickEntries ? say(clickEntries[row.entry as ClickEntry]) : row.entry,
              [row.city_name, row.mall_name].filter(Boolean).join(' · '),
            ]}
          />
        )}
      </Answer>
    </Section>
  )
}
const figuresOf = (row: BannerRow): readonly (readonly [title: Text, figure: string])[] => [
  [['曝光', 'Views'], row.views.toLocaleString()],
  [['点击', 'Clicks'], row.clicks.toLocaleString()],
  [['点击人数', 'People'], row.users.toLocaleString()],
  [['点击率', 'Click rate'], rateOf(row)],
]
const Inspector = ({ row, clicks }: { row: BannerRow; clicks: boolean }) => {
  const say = useSay()
  return (
    <>
      <header>
        <h2>{row.title}</h2>
        <State of={row.status} in={states} />
        {row.is_live && <Badge tone="info">{say(['展示中', 'Shown now'])}</Badge>}
      </header>
      <Section title={say(['素材', 'Picture'])}>
        <div className="c-wide">
          <Picture of={row.image} label={row.title} />
        </div>
      </Section>
      <Section title={say(['效果', 'Results'])}>
        <dl className="c-numbers">
          {figuresOf(row).map(([title, figure]) => (
            <div key={title[0]}>
              <dt>{say(title)}</dt>
              <dd>{figure}</dd>
            </div>
          ))}
        </dl>
      </Section>
      <Section title={say(['投放', 'Placement'])}>
        <Facts>
          <Fact label={say(['跳转', 'Leads to'])}>
            {row.link_name}{' '}
            {!row.link_ok && <Badge tone="bad">{say(['目标失效', 'Broken'])}</Badge>}
          </Fact>
          <Fact label={say(['时间', 'Period'])}>
            <Span from={row.start_at} to={row.end_at} />
          </Fact>
          <Fact wide label={say(['城市', 'Cities'])}>
            {row.city_names.join(say(comma))}
          </Fact>
          <Fact label={say(['商场', 'Mall'])}>
            {row.mall_name || say(['商场外', 'Outside malls'])}
          </Fact>
          <Fact label={say(['受众', 'Audience'])}>
            {row.audience.new_only ? say(['仅新会员', 'New members']) : say(['所有人', 'Everyone'])}
          </Fact>
          {row.status === 'offline' && row.off_reason && (
            <Fact wide label={say(['下线原因', 'Why offline'])}>
              {row.off_reason}
            </Fact>
          )}
        </Facts>
      </Section>
      {clicks && <Clicks id={row.id} />}
    </>
  )
}

/** Banners of one position and city in their order, their periods, and what they bring. */
export default function Banners() {
  const say = useSay()
  const pane = usePane()
  const search = new URLSearchParams(useSearch())
  const [, navigate] = useLocation()
  const set = (patch: Record<string, string | number | undefined>) => {
    const next = new URLSearchParams(search)
    for (const [key, value] of Object.entries(patch))
      if (value === undefined) next.delete(key)
      else next.set(key, String(value))
    navigate(`?${next}`, { replace: true })
  }
  const cities = useRead(cityOptions, { pageSize: 100 })
  const named = search.get('position')
  const position: BannerPosition =
    named && Object.hasOwn(bannerPositions, named) ? (named as BannerPosition) : 'home'
  // The city that was there first is usually the one most people work on.
  const city_id =
    Number(search.get('city_id')) ||
    (cities.data?.list.length ? Math.min(...cities.data.list.map(one => one.id)) : undefined)
  const malls = useRead(mallPicker, position === 'mall' && city_id ? { city_id } : skipToken)
  const mid = position === 'mall' ? Number(search.get('mid')) || malls.data?.list[0]?.mid : 0
  const [clicks, setClicks] = usePaneState('clicks', false)
  const read = useRead(
    calls.lst,
    city_id === undefined || mid === undefined
      ? skipToken
      : { position, city_id, mid, pageSize: 100 },
  )
  const [save] = useWrite(calls.sort)
  const board = useBoard<BannerRow>({
    name: `banner:${position}:${city_id}:${mid}`,
    rows: read.currentData?.list,
    version: read.currentData?.list_version,
    error: read.error,
    stale: read.isFetching,
    refetch: read.refetch,
    save: async (order, list_version) => {
      if (city_id !== undefined && mid !== undefined)
        await save({ position, city_id, mid, order, list_version })
    },
  })
  const turnTo = (key: BannerPosition) => set({ position: key, mid: undefined })
  useAction(listNextTab, () => turnTo(turned(positions, position, 1)))
  useAction(listPreviousTab, () => turnTo(turned(positions, position, -1)))
  useAction(bannerActions.sort, () => void board.save())
  useAction(bannerActions.lstBannerClickLog, () => setClicks(!clicks))
  useExport(bannerActions.export, calls.export, {
    filters: () => ({
      position,
      ...(city_id === undefined ? {} : { city_id }),
      ...(mid === undefined ? {} : { mid }),
    }),
  })
  const { rows } = useStageSubject(pane.stage)
  const row = useMemo(
    () => board.rows?.find(one => one.id === board.focused),
    [board.rows, board.focused],
  )
  const live = board.rows?.filter(one => one.is_live).length ?? 0
  const none = position === 'mall' && malls.data?.list.length === 0
  return (
    <div className="m-list">
      <Tabs
        label={say(['位置', 'Position'])}
        at={position}
        go={turnTo}
        all={positions.map(({ key }) => ({ key, title: say(positionNames[key]) }))}
      />
      <div className="m-filters" role="search">
        <HTMLSelect
          aria-label={say(['城市', 'City'])}
          value={city_id ?? ''}
          onChange={event => set({ city_id: event.target.value, mid: undefined })}
          options={(cities.data?.list ?? []).map(one => ({ value: one.id, label: one.city_name }))}
        />
        {position === 'mall' && (
          <HTMLSelect
            aria-label={say(['商场', 'Mall'])}
            value={mid ?? ''}
            onChange={event => set({ mid: event.target.value })}
            options={(malls.data?.list ?? []).map(one => ({ value: one.mid, label: one.name }))}
          />
        )}
        <span className="m-muted">
          {say(
            [
              '图片 {w}:{h}，宽至少 {min}，不大于 500 KB',
              'Pictures {w}:{h}, {min} wide or more, 500 KB at most',
            ],
            {
              w: bannerPositions[position].ratio[0],
              h: bannerPositions[position].ratio[1],
              min: bannerPositions[position].min_width,
            },
          )}
        </span>
      </div>
      <Toolbar actions={Object.values(bannerActions)} rows={rows} plain={board.dirty} />
      <div className="m-rows">
        <Columns widths="minmax(380px, 5fr) minmax(340px, 4fr)" first="banners">
          <Column
            name="banners"
            title={say(positionNames[position])}
            aside={
              <Badge tone={live >= 8 ? 'warn' : 'plain'}>
                {say(['展示中 {n}/8', '{n} of 8 shown'], { n: live })}
              </Badge>
            }
          >
            {none ? (
              <Empty title={say(['这个城市没有商场', 'No mall in this city'])} />
            ) : (
              <Board
                of={board}
                label={say(['轮播图', 'Banners'])}
                labelOf={one => one.title}
                saves={bannerActions.sort}
                dim={one => !one.is_live}
                empty={
                  <Empty title={say(['这个位置还没有轮播图', 'No banner here yet'])}>
                    <p>
                      <Keyed
                        text={['按 {add} 新增一张。', '{add} makes one.']}
                        by={{ add: bannerActions.create }}
                      />
                    </p>
                  </Empty>
                }
                row={one => (
                  <div className="c-line">
                    <div className="c-thumb">
                      <Picture of={one.image} label="" />
                    </div>
                    <div className="c-two" style={{ flex: 1 }}>
                      <b className="m-ellipsis">{one.title}</b>
                      <small>
                        <Span from={one.start_at} to={one.end_at} /> · {one.link_name}
                      </small>
                    </div>
                    <div className="c-two c-figures m-num">
                      <small>
                        {say(['曝光 {v} · 点击 {c}', 'Views {v} · clicks {c}'], {
                          v: one.views.toLocaleString(),
                          c: one.clicks.toLocaleString(),
                        })}
                      </small>
                      <small>{say(['点击率 {r}', 'Click rate {r}'], { r: rateOf(one) })}</small>
                    </div>
                  </div>
                )}
                flags={one => [
                  ...(one.link_ok
                    ? []
                    : [{ tone: 'bad' as const, text: say(['目标失效', 'Broken link']) }]),
                  ...(one.city_ids.length > 1
                    ? [
                        {
                          tone: 'info' as const,
                          text: say(['{n} 城', '{n} cities'], { n: one.city_ids.length }),
                          title: one.city_names.join(say(comma)),
                        },
                      ]
                    : []),
                  one.status === 'online' && one.start_at > unixNow()
                    ? { tone: 'info' as const, text: say(['未开始', 'Scheduled']) }
                    : {
                        tone: states[one.status].tone ?? 'plain',
                        text: say(bannerStates[one.status]),
                      },
                ]}
              />
            )}
          </Column>
          <section className="m-column" aria-label={say(['轮播图详情', 'Banner detail'])}>
            <div className="c-inspect">
              {board.rows && (
                <Timeline rows={board.rows} focused={board.focused} onFocus={board.focus} />
              )}
              {row ? (
                <Inspector row={row} clicks={clicks} />
              ) : read.error ? null : board.rows ? (
                <Empty title={say(['选择一张轮播图', 'Choose a banner'])} />
              ) : (
                <Loading />
              )}
            </div>
          </section>
        </Columns>
      </div>
    </div>
  )
}
