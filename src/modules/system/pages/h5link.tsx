import { Button } from '@blueprintjs/core'
import {
  BanCircle as Ban,
  Duplicate,
  Refresh,
  Tick,
  Time as Clock,
  WarningSign,
} from '@blueprintjs/icons'
import { useMemo, useState, type ComponentType } from 'react'
import { h5linkActions } from '#commands/system/content.ts'
import { h5States, type H5State } from '#src/areas/link/h5Link.ts'
import type { Result } from '#src/contract/call.ts'
import { linkOptions } from '#src/contract/link.ts'
import { yuan } from '#src/domain/money.ts'
import { Among } from '#src/kit/among.tsx'
import { idColumn } from '#src/kit/cells.tsx'
import { Chart } from '#src/kit/chart.tsx'
import { skipToken, useRead, type ReadState } from '#src/kit/data.ts'
import { useExport } from '#src/kit/exporting.ts'
import { Choice, Keyword } from '#src/kit/filters.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { Chosen, Inspector } from '#src/kit/inspector.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { Badge, Fact, Facts, Money, Section, When, type ToneName } from '#src/kit/show.tsx'
import { Failed, Loading } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { useList } from '#src/kit/uselist.ts'
import { useAction, useResult, useWorkbench } from '#src/kit/workbench.ts'
import { h5link as calls, type H5Row } from '../contract/h5link.ts'
import { CodeDialog } from '../parts/CodeDialog.tsx'
import '../parts/content.css'

const tones: Record<H5State, ToneName> = { on: 'good', stopped: 'plain', expired: 'warn' }
const icons: Record<H5State, ComponentType<{ size?: number }>> = {
  on: Tick,
  stopped: Ban,
  expired: Clock,
}
const State = ({ row }: { row: H5Row }) => {
  const say = useSay()
  return (
    <Badge tone={tones[row.status]} icon={icons[row.status]}>
      {say(h5States[row.status])}
    </Badge>
  )
}
const addressOf = (row: H5Row) => `${window.location.origin}/l/${row.code}`

const ByDay = ({
  may,
  of: { data, error, refetch },
}: {
  may: boolean
  of: ReadState<Result<typeof calls.stat>>
}) => {
  const say = useSay()
  if (!may)
    return <p className="m-muted">{say(['没有查看每日效果的权限', 'You may not see it by day'])}</p>
  if (error) return <Failed error={error} retry={refetch} />
  if (!data) return <Loading lines={5} />
  return (
    <Chart
      label={say(['近 30 天访问与订单', 'Visits and orders of 30 days'])}
      height={180}
      unit={say(['次', 'visits'])}
      categories={data.days.map(day => day.day.slice(5))}
      series={[
        {
          name: say(['访问', 'Visits']),
          kind: 'bar',
          values: data.days.map(day => day.visits),
        },
        {
          name: say(['支付订单', 'Paid orders']),
          kind: 'line',
          values: data.days.map(day => day.orders),
        },
      ]}
    />
  )
}
/** What a link brought, day by day. */
const Results = ({ row }: { row: H5Row }) => {
  const say = useSay()
  const { me } = useWorkbench()
  const may = me.can(calls.stat.permit)
  const read = useRead(calls.stat, may ? { id: row.id } : skipToken)
  return (
    <Section
      title={say(['效果', 'Results'])}
      aside={
        <span className="m-muted">
          {' '}
          {say([
            '访问按设备每日去重；订单归最后点击，7 天内有效',
            'A device counts once a day; an order belongs to the last click within 7 days',
          ])}
        </span>
      }
    >
      <dl className="c-numbers">
        <div>
          <dt>{say(['访问', 'Visits'])}</dt>
          <dd>{row.visits.toLocaleString()}</dd>
        </div>
        {read.data && (
          <div>
            <dt>{say(['设备', 'Devices'])}</dt>
            <dd>{read.data.devices.toLocaleString()}</dd>
          </div>
        )}
        <div>
          <dt>{say(['新会员', 'New members'])}</dt>
          <dd title={say(['下单前 7 天内注册的买家', 'Buyers who signed up within 7 days before'])}>
            {row.new_members.toLocaleString()}
          </dd>
        </div>
        <div>
          <dt>{say(['支付订单', 'Paid orders'])}</dt>
          <dd>{row.orders.toLocaleString()}</dd>
        </div>
        {row.gmv_cents !== undefined && (
          <div>
            <dt>{say(['成交额', 'GMV'])}</dt>
            <dd>
              <Money cents={row.gmv_cents} sign />
            </dd>
          </div>
        )}
      </dl>
      <ByDay may={may} of={read} />
    </Section>
  )
}
const Link = ({ row }: { row: H5Row }) => {
  const say = useSay()
  const { toast } = useWorkbench()
  const copy = () =>
    void navigator.clipboard.writeText(addressOf(row)).then(
      () => toast(say(['已复制', 'Copied']), 'success'),
      () =>
        toast(
          say(['浏览器不允许复制，请手动选择', 'The browser forbids it: select and copy']),
          'warning',
        ),
    )
  return (
    <Inspector title={row.name} aside={<State row={row} />}>
      <Section title={say(['短链', 'Short link'])}>
        <Facts>
          <Fact wide label={say(['地址', 'Address'])}>
            <code>{addressOf(row)}</code>{' '}
            <Button
              size="small"
              variant="minimal"
              icon={<Duplicate />}
              aria-label={say(['复制短链', 'Copy the address'])}
              onClick={copy}
            />
          </Fact>
          <Fact wide label={say(['目标', 'Target'])}>
            {row.link_name}{' '}
            {!row.link_ok && (
              <Badge tone="bad" icon={WarningSign}>
                {row.link_note}
              </Badge>
            )}
          </Fact>
          <Fact label={say(['渠道', 'Channel'])}>
            <code>{row.channel}</code>
          </Fact>
          <Fact label={say(['到期', 'Until'])}>
            <When at={row.expire_at} />
          </Fact>
          <Fact label={say(['生成时间', 'Created'])}>
            <When at={row.created_at} />
          </Fact>
          <Fact label={say(['微信链接', 'WeChat link'])}>
            {row.renews ? (
              <Badge tone="info" icon={Refresh}>
                {say(['跳转时自动续期', 'Renewed by the redirect'])}
              </Badge>
            ) : (
              say(['期限内', 'Valid'])
            )}
          </Fact>
          {row.stop_reason && (
            <Fact wide label={say(['停用原因', 'Why stopped'])}>
              {row.stop_reason}
            </Fact>
          )}
        </Facts>
      </Section>
      <Results row={row} />
    </Inspector>
  )
}

/**
 * Short addresses that open the mini-program from outside: where each leads, until when, and what
 * it brought.
 */
const useColumns = (): Column<H5Row>[] => {
  const say = useSay()
  return useMemo(
    (): Column<H5Row>[] => [
      {
        key: 'name',
        title: ['名称', 'Name'],
        width: 116,
        grow: true,
        cell: row => row.name,
        words: row => row.name,
      },
      { key: 'status', title: ['状态', 'State'], width: 88, cell: row => <State row={row} /> },
      {
        key: 'channel',
        title: ['渠道', 'Channel'],
        width: 100,
        cell: row => <code>{row.channel}</code>,
        words: row => row.channel,
      },
      {
        key: 'link_name',
        title: ['目标', 'Target'],
        width: 90,
        grow: true,
        cell: row => (
          <>
            {!row.link_ok && (
              <Badge tone="bad" icon={WarningSign} title={row.link_note}>
                {say(['失效', 'Dead'])}
              </Badge>
            )}{' '}
            {row.link_name}
          </>
        ),
        words: row => row.link_name,
      },
      {
        key: 'visits',
        title: ['访问', 'Visits'],
        width: 54,
        align: 'end',
        cell: row => row.visits.toLocaleString(),
      },
      {
        key: 'new_members',
        title: ['新会员', 'New'],
        width: 56,
        align: 'end',
        cell: row => row.new_members.toLocaleString(),
      },
      {
        key: 'orders',
        title: ['订单', 'Orders'],
        width: 54,
        align: 'end',
        cell: row => row.orders.toLocaleString(),
      },
      {
        key: 'gmv_cents',
        title: ['成交额', 'GMV'],
        width: 82,
        align: 'end',
        cell: row => <Money cents={row.gmv_cents} />,
        words: row => (row.gmv_cents === undefined ? '' : yuan(row.gmv_cents)),
      },
      {
        key: 'expire_at',
        title: ['到期', 'Until'],
        width: 96,
        cell: row => <When at={row.expire_at} />,
      },
      {
        key: 'code',
        title: ['短码', 'Code'],
        width: 80,
        optional: true,
        cell: row => <code>{row.code}</code>,
      },
      idColumn,
      {
        key: 'created_at',
        title: ['生成时间', 'Created'],
        width: 100,
        optional: true,
        cell: row => <When at={row.created_at} />,
      },
    ],
    [say],
  )
}

export default function ShortLinks() {
  const say = useSay()
  const { toast } = useWorkbench()
  const list = useList(calls.lst)
  const [code, setCode] = useState<H5Row | undefined>(undefined)
  useExport(h5linkActions.export, calls.export, { list })
  useAction(h5linkActions.getQrImg, rows => setCode(rows[0]))
  useAction(h5linkActions.stat, rows => list.focus(rows[0]?.id))
  useResult(h5linkActions.create, ({ id }) => list.reveal(id))
  useResult(h5linkActions.batchCreate, done => {
    if ('job_id' in done)
      return toast(
        say(
          [
            '已转为后台任务，共 {n} 行，进度在右上角“我的任务与导出”',
            'Made a job of {n} lines; see My jobs and exports, top right',
          ],
          { n: done.rows },
        ),
        'success',
      )
    const { ok, failed } = done
    return toast(
      failed.length === 0
        ? say(['已生成 {n} 条', '{n} made'], { n: ok.length })
        : say(
            [
              '已生成 {n} 条；第 {line} 行起有 {bad} 行未生成：{why}',
              '{n} made; {bad} were not, line {line} first: {why}',
            ],
            { n: ok.length, bad: failed.length, line: failed[0]!.id, why: failed[0]!.msg },
          ),
      failed.length === 0 ? 'success' : 'warning',
    )
  })
  const columns = useColumns()
  return (
    <>
      <ListDetail>
        <List
          of={list}
          label={say(['推广短链', 'Short links'])}
          columns={columns}
          actions={Object.values(h5linkActions)}
          onOpen={row => list.focus(row.id)}
          filters={
            <>
              <Keyword of={list} placeholder={say(['名称或短码', 'Name or code'])} />
              <Keyword of={list} by="channel" placeholder={say(['渠道标识', 'Channel'])} />
              <Among
                of={list}
                by="page_link_id"
                label={say(['目标', 'Target'])}
                find={linkOptions}
                words={['名称、路径或编号', 'name, path or number']}
                labelOf={row => row.name}
              />
              <Choice
                of={list}
                by="status"
                label={say(['状态', 'State'])}
                options={Object.entries(h5States).map(([value, text]) => ({
                  value,
                  label: say(text),
                }))}
              />
            </>
          }
        />
        <Chosen of={list} none={say(['选择一个 H5 链接', 'Choose an H5 link'])}>
          {row => <Link key={row.id} row={row} />}
        </Chosen>
      </ListDetail>
      {code && (
        <CodeDialog title={code.name} path={addressOf(code)} close={() => setCode(undefined)} />
      )}
    </>
  )
}
