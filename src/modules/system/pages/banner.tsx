import { HTMLSelect } from '@blueprintjs/core'
import { useMemo } from 'react'
import { useLocation, useSearch } from 'wouter'
import { listNextTab, listPreviousTab } from '#commands/list.ts'
import { bannerActions } from '#commands/system/city.ts'
import {
  bannerPositions,
  bannerStates,
  positionNames,
  type BannerPosition,
} from '#src/areas/content/banner.ts'
import { mallPicker } from '#src/contract/malls.ts'
import { cityOptions } from '#src/contract/places.ts'
import { comma } from '#src/domain/text.ts'
import { unixNow } from '#src/domain/time.ts'
import { Column, Columns } from '#src/kit/board-columns.tsx'
import type { Flag } from '#src/kit/board-rows.tsx'
import { Board } from '#src/kit/board.tsx'
import { skipToken, useRead, useWrite } from '#src/kit/data.ts'
import { useExport } from '#src/kit/exporting.ts'
import { Picture } from '#src/kit/image.tsx'
import { Keyed } from '#src/kit/keyed.tsx'
import { usePaneState } from '#src/kit/memory.ts'
import { Badge, Span } from '#src/kit/show.tsx'
import { Empty, Loading } from '#src/kit/states.tsx'
import { Tabs, turned } from '#src/kit/tabs.tsx'
import { useSay, type Say } from '#src/kit/text.ts'
import { Toolbar } from '#src/kit/toolbar.tsx'
import { useBoard, type BoardState } from '#src/kit/useboard.ts'
import { useAction, usePane, useStageSubject } from '#src/kit/workbench.ts'
import { banner as calls, type BannerRow } from '../contract/banner.ts'
import { BannerDetail, BannerTimeline, bannerLooks, bannerRate } from '../parts/BannerDetail.tsx'
import '../parts/content.css'

const positions = (Object.keys(bannerPositions) as BannerPosition[]).map(key => ({ key }))

/** The place whose banners are shown, as the address has it. */
const usePlace = () => {
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
  return { position, city_id, mid, cities, malls, set }
}
const PlaceFilters = ({
  of: { position, city_id, mid, cities, malls, set },
}: {
  of: ReturnType<typeof usePlace>
}) => {
  const say = useSay()
  return (
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
  )
}
const flagsOf = (one: BannerRow, say: Say): Flag[] => [
  ...(one.link_ok ? [] : [{ tone: 'bad' as const, text: say(['目标失效', 'Broken link']) }]),
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
    ? { tone: 'info', text: say(['未开始', 'Scheduled']) }
    : {
        tone: bannerLooks[one.status].tone ?? 'plain',
        text: say(bannerStates[one.status]),
      },
]
const BannerBoard = ({ of }: { of: BoardState<BannerRow> }) => {
  const say = useSay()
  return (
    <Board
      of={of}
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
            <small>{say(['点击率 {r}', 'Click rate {r}'], { r: bannerRate(one) })}</small>
          </div>
        </div>
      )}
      flags={one => flagsOf(one, say)}
    />
  )
}
/** That no banner could be read is told by the board beside. */
const NoneChosen = ({ isRead, failed }: { isRead: boolean; failed: boolean }) => {
  const say = useSay()
  if (failed) return null
  return isRead ? <Empty title={say(['选择一张轮播图', 'Choose a banner'])} /> : <Loading />
}
/** Banners of one position and city in their order, their periods, and what they bring. */
export default function Banners() {
  const say = useSay()
  const pane = usePane()
  const place = usePlace()
  const { position, city_id, mid, malls, set } = place
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
      <PlaceFilters of={place} />
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
              <BannerBoard of={board} />
            )}
          </Column>
          <section className="m-column" aria-label={say(['轮播图详情', 'Banner detail'])}>
            <div className="c-inspect">
              {board.rows && (
                <BannerTimeline rows={board.rows} focused={board.focused} onFocus={board.focus} />
              )}
              {row ? (
                <BannerDetail row={row} clicks={clicks} />
              ) : (
                <NoneChosen isRead={board.rows !== undefined} failed={read.error !== undefined} />
              )}
            </div>
          </section>
        </Columns>
      </div>
    </div>
  )
}
