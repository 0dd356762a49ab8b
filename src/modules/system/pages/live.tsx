import { WarningSign } from '@blueprintjs/icons'
import { useMemo, useState } from 'react'
import { to } from '#commands/command.ts'
import { liveForm } from '#commands/pages/system.ts'
import { liveActions } from '#commands/system/live.ts'
import { liveChannels, livePath, liveTabs, type LiveTab } from '#src/areas/broadcast/broadcast.ts'
import { percent, yuan } from '#src/domain/money.ts'
import { Among } from '#src/kit/among.tsx'
import { idColumn } from '#src/kit/cells.tsx'
import { useRead } from '#src/kit/data.ts'
import { useExport } from '#src/kit/exporting.ts'
import { Keyword } from '#src/kit/filters.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { Picture } from '#src/kit/image.tsx'
import { Chosen, Inspector } from '#src/kit/inspector.tsx'
import { Keyed } from '#src/kit/keyed.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { CityFilter, MallFilter } from '#src/kit/places.tsx'
import { Badge, Fact, Facts, Money, Section, When } from '#src/kit/show.tsx'
import { Empty, Failed, Loading } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { useList } from '#src/kit/uselist.ts'
import { useAction, useResult, useWorkbench } from '#src/kit/workbench.ts'
import { live as calls, type LiveRow } from '../contract/live.ts'
import { CodeDialog } from '../parts/CodeDialog.tsx'
import { Replay, RoomState } from '../parts/live.tsx'
import { LiveFunnel } from '../parts/liveFunnel.tsx'

const rate = (bp: number | null) => (bp === null ? '—' : percent(bp))
const number = (n: number | null) => (n === null ? '—' : n.toLocaleString())
/** When the channel last spoke of a room, and why not since. */
const Sync = ({ row }: { row: LiveRow }) => {
  const say = useSay()
  if (row.sync_error)
    return (
      <Badge tone="bad" icon={WarningSign} title={row.sync_error}>
        {say(['同步失败', 'Failed'])}
      </Badge>
    )
  if (row.untold) return <Badge tone="warn">{say(['待推送', 'To be sent'])}</Badge>
  return <When at={row.synced_at} />
}

const Shelf = ({ row }: { row: LiveRow }) => {
  const say = useSay()
  const { data, error, refetch } = useRead(calls.shelf, { id: row.id })
  if (error) return <Failed error={error} retry={refetch} />
  if (!data) return <Loading lines={4} />
  if (data.list.length === 0)
    return <p className="m-muted">{say(['货架上还没有商品', 'The shelf is empty'])}</p>
  const held = row.state === 'planned' || row.state === 'living'
  const now = Math.max(...data.list.map(one => one.explained_at ?? 0))
  return (
    <table className="m-table lv-table">
      <thead>
        <tr>
          <th>{say(['商品', 'Product'])}</th>
          <th data-end>{say(['直播价', 'Live price'])}</th>
          <th data-end>{held ? say(['余 / 库存', 'Left / stock']) : say(['库存', 'Stock'])}</th>
          <th data-end>{say(['点击', 'Clicks'])}</th>
          <th data-end>{say(['支付件数', 'Sold'])}</th>
        </tr>
      </thead>
      <tbody>
        {data.list.map(one => (
          <tr key={one.id}>
            <td>
              {one.title}{' '}
              {row.state === 'living' && one.explained_at === now && now > 0 && (
                <Badge tone="good">{say(['讲解中', 'On show'])}</Badge>
              )}{' '}
              {one.fault && (
                <Badge tone="bad" icon={WarningSign}>
                  {one.fault}
                </Badge>
              )}
            </td>
            <td data-end className="m-num">
              {yuan(one.price_cents)}
            </td>
            <td data-end className="m-num">
              {held && `${one.remaining} / `}
              {one.stock}
            </td>
            <td data-end className="m-num">
              {one.clicks}
            </td>
            <td data-end className="m-num">
              {one.sold}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
const Room = ({ row, sms }: { row: LiveRow; sms: boolean }) => {
  const say = useSay()
  const { notices } = row
  return (
    <Inspector
      title={row.title}
      aside={
        <>
          <RoomState of={row.state} />
          {row.recommended && <Badge tone="info">{say(['推荐位', 'Recommended'])}</Badge>}
        </>
      }
    >
      <Section
        title={say(['成绩', 'Results'])}
        aside={
          <span className="m-muted">
            {' '}
            {say(['订单按点击后 24 小时内归属', 'Orders within 24 hours of the click'])}
          </span>
        }
      >
        <dl className="c-numbers">
          <div>
            <dt>{say(['观看人数', 'Viewers'])}</dt>
            <dd
              title={
                row.viewers === null ? say(['渠道没有提供', 'The channel does not say']) : undefined
              }
            >
              {number(row.viewers)}
            </dd>
          </div>
          <div>
            <dt>{say(['最高在线', 'Peak'])}</dt>
            <dd>{number(row.peak)}</dd>
          </div>
          <div>
            <dt>{say(['商品点击', 'Clicks'])}</dt>
            <dd>{row.product_clicks.toLocaleString()}</dd>
          </div>
          <div>
            <dt>{say(['支付订单', 'Paid orders'])}</dt>
            <dd>{row.paid_orders.toLocaleString()}</dd>
          </div>
          <div>
            <dt>{say(['成交额', 'GMV'])}</dt>
            <dd>
              <Money cents={row.gmv_cents} sign />
            </dd>
          </div>
          <div>
            <dt>{say(['退款率', 'Refund rate'])}</dt>
            <dd title={say(['退款额 / 支付额', 'Refunded of paid'])}>{rate(row.refund_bp)}</dd>
          </div>
        </dl>
        <LiveFunnel of={row} />
      </Section>
      <Section title={say(['直播间', 'Room'])}>
        <div className="lv-cover">
          <span>
            {row.cover ? <Picture of={row.cover} label={say(['封面', 'Cover'])} /> : null}
          </span>
          <div className="c-two">
            <b>{row.host_name}</b>
            <small>
              {row.host_wechat} · {say(liveChannels[row.channel])}
              {row.room_no && (
                <>
                  {' '}
                  · <span>{row.room_no}</span>
                </>
              )}
            </small>
          </div>
        </div>
        <Facts>
          <Fact label={say(['开始', 'From'])}>
            <When at={row.start_at} />
          </Fact>
          <Fact label={say(['结束', 'Until'])}>
            <When at={row.end_at} />
          </Fact>
          <Fact label={say(['范围', 'Place'])}>
            {row.city_name}
            {row.mall_name && ` · ${row.mall_name}`}
          </Fact>
          <Fact label={say(['回放', 'Replay'])}>
            <Replay of={row.replay_state} />{' '}
            {row.replay_url && (
              <a href={row.replay_url} target="_blank" rel="noreferrer">
                {say(['打开文件', 'Open the file'])}
              </a>
            )}
          </Fact>
          <Fact label={say(['最近同步', 'Synced'])}>
            <When at={row.synced_at} />
          </Fact>
          {row.sync_error && (
            <Fact wide label={say(['同步失败', 'Sync failed'])}>
              <Badge tone="bad" icon={WarningSign}>
                {row.sync_error}
              </Badge>{' '}
              <When at={row.sync_failed_at} />{' '}
              <span className="m-muted">{say(['仍显示上次的数据', 'The last data stay'])}</span>
            </Fact>
          )}
          {row.untold && (
            <Fact wide label={say(['渠道', 'Channel'])}>
              {say([
                '改动还没有推送到直播平台，系统每两分钟重试',
                'The platform has yet to hear of the change; tried every two minutes',
              ])}
            </Fact>
          )}
          {row.state_reason && (
            <Fact wide label={say(['说明', 'Reason'])}>
              {row.state_reason}
            </Fact>
          )}
          <Fact wide label={say(['预约用户', 'Subscribers'])}>
            {say(['{n} 人', '{n}'], { n: row.subscribers })}
            {notices.queued > 0 && (
              <>
                {' '}
                <Badge tone="warn">
                  {sms
                    ? say(['待发送 {n}', '{n} queued'], { n: notices.queued })
                    : say(['待发送 {n}，未配置短信网关', '{n} queued, no SMS gateway'], {
                        n: notices.queued,
                      })}
                </Badge>
              </>
            )}
            {notices.sent > 0 && (
              <>
                {' '}
                <Badge tone="good">{say(['已通知 {n}', '{n} told'], { n: notices.sent })}</Badge>
              </>
            )}
            {notices.failed > 0 && (
              <>
                {' '}
                <Badge tone="bad">{say(['失败 {n}', '{n} failed'], { n: notices.failed })}</Badge>
              </>
            )}
            {notices.sending > 0 && (
              <>
                {' '}
                <Badge>{say(['结果未知 {n}', '{n} not known'], { n: notices.sending })}</Badge>
              </>
            )}
          </Fact>
        </Facts>
      </Section>
      <Section title={say(['货架（{n}）', 'Shelf ({n})'], { n: row.products })}>
        <Shelf row={row} />
      </Section>
    </Inspector>
  )
}

/** Live sessions: what is planned, what is on, and what each brought. */
export default function LiveRooms() {
  const say = useSay()
  const { open, toast } = useWorkbench()
  const list = useList(calls.lst)
  const [code, setCode] = useState<LiveRow | undefined>(undefined)
  const { page: _, pageSize: __, tab, ...filters } = list.input
  const counts = useRead(calls.counts, filters)
  useExport(liveActions.export, calls.export, { list })
  useAction(liveActions.getMpImg, ([row]) => setCode(row as LiveRow))
  useAction(liveActions.copyLink, ([row]) => {
    if (row)
      void navigator.clipboard.writeText(livePath(row.id)).then(
        () =>
          toast(
            say(['已复制小程序路径 {path}', 'Copied the mini-program path {path}'], {
              path: livePath(row.id),
            }),
            'success',
          ),
        () =>
          toast(
            say(['浏览器不允许复制，请手动选择', 'The browser forbids it: select and copy']),
            'warning',
          ),
      )
  })
  useResult(liveActions.syncRooms, ({ channel, rooms, failed }) => {
    if (channel === 'none')
      toast(
        say(['没有配置直播平台（WECHAT_APPID）', 'No live platform is set up (WECHAT_APPID)']),
        'warning',
      )
    else if (failed)
      toast(
        say(['同步失败，仍显示上次的数据：{why}', 'The sync failed, the last data stay: {why}'], {
          why: failed,
        }),
        'warning',
      )
    else toast(say(['已同步 {n} 个直播间', '{n} rooms synced'], { n: rooms }), 'success')
  })
  useResult(liveActions.cancel, ({ told }) => {
    if (told > 0)
      toast(
        counts.data?.told_by_sms
          ? say(['将短信通知 {n} 位预约用户', '{n} subscribers will be told by SMS'], { n: told })
          : say(
              [
                '{n} 位预约用户待通知：未配置短信网关，配置后自动发送',
                '{n} subscribers wait to be told: no SMS gateway is set up',
              ],
              { n: told },
            ),
        'warning',
      )
  })
  const columns = useMemo(
    (): Column<LiveRow>[] => [
      {
        key: 'title',
        title: ['标题', 'Title'],
        width: 110,
        grow: true,
        cell: row => (
          <>
            {row.recommended && <Badge tone="info">{say(['荐', 'Rec.'])}</Badge>} {row.title}
          </>
        ),
        words: row => row.title,
      },
      {
        key: 'state',
        title: ['状态', 'State'],
        width: 80,
        cell: row =>
          tab === 'replay' ? <Replay of={row.replay_state} /> : <RoomState of={row.state} />,
      },
      {
        key: 'start_at',
        title: ['开始', 'From'],
        width: 92,
        cell: row => <When at={row.start_at} />,
      },
      {
        key: 'host_name',
        title: ['主播', 'Host'],
        width: 78,
        cell: row => row.host_name,
        words: row => row.host_name,
      },
      {
        key: 'city_name',
        title: ['城市', 'City'],
        width: 48,
        cell: row => row.city_name,
        words: row => `${row.city_name}${row.mall_name && ` · ${row.mall_name}`}`,
      },
      {
        key: 'viewers',
        title: ['观看', 'Viewers'],
        width: 52,
        align: 'end',
        cell: row => number(row.viewers),
      },
      {
        key: 'peak',
        title: ['最高在线', 'Peak'],
        width: 68,
        align: 'end',
        optional: true,
        cell: row => number(row.peak),
      },
      {
        key: 'product_clicks',
        title: ['点击', 'Clicks'],
        width: 46,
        align: 'end',
        cell: row => row.product_clicks.toLocaleString(),
      },
      {
        key: 'paid_orders',
        title: ['订单', 'Orders'],
        width: 46,
        align: 'end',
        cell: row => row.paid_orders.toLocaleString(),
      },
      {
        key: 'gmv_cents',
        title: ['成交额', 'GMV'],
        width: 78,
        align: 'end',
        cell: row => <Money cents={row.gmv_cents} />,
        words: row => (row.gmv_cents === undefined ? '' : yuan(row.gmv_cents)),
      },
      {
        key: 'refund_bp',
        title: ['退款率', 'Refunds'],
        width: 58,
        align: 'end',
        cell: row => rate(row.refund_bp),
      },
      {
        key: 'replay_state',
        title: ['回放', 'Replay'],
        width: 72,
        optional: true,
        cell: row => <Replay of={row.replay_state} />,
      },
      { key: 'synced_at', title: ['同步', 'Synced'], width: 88, cell: row => <Sync row={row} /> },
      {
        key: 'products',
        title: ['商品', 'Products'],
        width: 54,
        align: 'end',
        optional: true,
        cell: row => row.products,
      },
      {
        key: 'subscribers',
        title: ['预约', 'Subscribed'],
        width: 54,
        align: 'end',
        optional: true,
        cell: row => row.subscribers,
      },
      idColumn,
    ],
    [say, tab],
  )
  return (
    <>
      <ListDetail>
        <List
          of={list}
          label={say(['直播间', 'Live rooms'])}
          columns={columns}
          actions={Object.values(liveActions)}
          onOpen={row => open(to(liveForm, { id: row.id }))}
          tabs={{
            by: 'tab',
            all: (Object.keys(liveTabs) as LiveTab[]).map(key => ({
              key,
              title: liveTabs[key],
              ...(counts.data ? { count: counts.data.counts[key] } : {}),
            })),
          }}
          aside={
            counts.data &&
            counts.data.channel !== 'wechat' && (
              <Badge
                tone={counts.data.channel === 'none' ? 'warn' : 'plain'}
                title={say([
                  '设置 WECHAT_APPID 后连接微信直播',
                  'Set WECHAT_APPID to connect WeChat',
                ])}
              >
                {counts.data.channel === 'none'
                  ? say(['未配置直播平台', 'No live platform'])
                  : say(['演示渠道', 'Demo channel'])}
              </Badge>
            )
          }
          filters={
            <>
              <Keyword of={list} placeholder={say(['标题', 'Title'])} />
              <CityFilter of={list} />
              <MallFilter of={list} />
              <Among
                of={list}
                by="host_id"
                label={say(['主播', 'Host'])}
                find={calls.hosts}
                words={['名称或微信号', 'name or WeChat ID']}
                labelOf={row => row.name}
              />
            </>
          }
          empty={
            <Empty title={say(['这里没有直播间', 'No live rooms here'])}>
              <p>
                <Keyed
                  text={['按 {add} 新增一场直播。', '{add} plans a session.']}
                  by={{ add: liveActions.create }}
                />
              </p>
            </Empty>
          }
        />
        <Chosen of={list} none={say(['选择一场直播', 'Choose a session'])}>
          {row => <Room key={row.id} row={row} sms={counts.data?.told_by_sms ?? false} />}
        </Chosen>
      </ListDetail>
      {code && (
        <CodeDialog title={code.title} path={livePath(code.id)} close={() => setCode(undefined)} />
      )}
    </>
  )
}
