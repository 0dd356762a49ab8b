import { WarningSign } from '@blueprintjs/icons'
import { useState } from 'react'
import { materialActions as actions } from '#commands/distribution/material.ts'
import { materialKinds, materialStates, type MaterialState } from '#src/areas/material/material.ts'
import { yuan } from '#src/domain/money.ts'
import { comma } from '#src/domain/text.ts'
import {
  numberColumn,
  State,
  stateColumn,
  textColumn,
  timeColumn,
  wordColumn,
  type States,
} from '#src/kit/cells.tsx'
import { useExport } from '#src/kit/exporting.ts'
import { Choice, Keyword, Toggle } from '#src/kit/filters.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { Thumb } from '#src/kit/image.tsx'
import { Chosen, Inspector } from '#src/kit/inspector.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { MallFilter } from '#src/kit/places.tsx'
import { Badge, Fact, Facts, Money, Section, When } from '#src/kit/show.tsx'
import { useStateTabs } from '#src/kit/statetabs.ts'
import { Pictures } from '#src/kit/submission.tsx'
import { useSay } from '#src/kit/text.ts'
import { useList } from '#src/kit/uselist.ts'
import { useResult } from '#src/kit/workbench.ts'
import { materials as calls, type MaterialRow as Row } from '../contract/material.ts'
import { MaterialPoster, type TestedPoster } from '../parts/MaterialPoster.tsx'

const looks: States<MaterialState> = {
  draft: { text: materialStates.draft },
  on: { text: materialStates.on, tone: 'good' },
  off: { text: materialStates.off },
}
const Outdated = ({ row }: { row: Row }) => {
  const say = useSay()
  return row.outdated.length === 0 ? null : (
    <Badge tone="warn" icon={WarningSign}>
      {say(['价格不一致', 'Price differs'])}
    </Badge>
  )
}
const columns: readonly Column<Row>[] = [
  {
    key: 'title',
    title: ['标题', 'Title'],
    width: 200,
    grow: true,
    cell: row => (
      <>
        <Thumb of={row.kind === 'video' ? undefined : row.files[0]} /> {row.title}
      </>
    ),
    words: row => row.title,
  },
  { ...wordColumn('kind', ['类型', 'Kind'], 72, materialKinds), priority: 1 },
  {
    ...textColumn('product_name', ['商品', 'Product'], 150, name => name || '—'),
    grow: true,
    priority: 4,
  },
  {
    key: 'price',
    title: ['价格', 'Price'],
    width: 120,
    priority: 1,
    cell: row => <Outdated row={row} />,
  },
  stateColumn('status', ['状态', 'State'], 84, looks),
  { ...numberColumn('view_count', ['浏览', 'Views'], 72), priority: 3 },
  { ...numberColumn('download_count', ['下载', 'Downloads'], 72), priority: 4 },
  { ...numberColumn('share_count', ['分享', 'Shares'], 72), priority: 4 },
  { ...numberColumn('order_count', ['订单', 'Orders'], 72), priority: 1 },
  { ...numberColumn('sort', ['排序', 'Sort'], 64), optional: true },
  { ...timeColumn('end_at', ['结束时间', 'Until'], 110), priority: 3 },
]
/** Orders for a hundred views. */
const rateOf = (row: Row): string =>
  row.view_count === 0 ? '—' : `${((row.order_count * 100) / row.view_count).toFixed(1)}%`
const Effect = ({ row }: { row: Row }) => {
  const say = useSay()
  return (
    <Section title={say(['推广效果', 'Results'])}>
      <Facts>
        <Fact label={say(['浏览', 'Views'])}>{row.view_count}</Fact>
        <Fact label={say(['下载', 'Downloads'])}>{row.download_count}</Fact>
        <Fact label={say(['分享', 'Shares'])}>{row.share_count}</Fact>
        <Fact label={say(['带来订单', 'Orders'])}>
          {row.order_count} <span className="m-muted">{rateOf(row)}</span>
        </Fact>
      </Facts>
    </Section>
  )
}
const Detail = ({ row }: { row: Row }) => {
  const say = useSay()
  const [zoom, setZoom] = useState<number | undefined>(undefined)
  const { code_area: area } = row
  return (
    <Inspector
      title={row.title}
      aside={
        <>
          <State of={row.status} in={looks} /> <Outdated row={row} />
        </>
      }
    >
      {row.kind !== 'video' && row.files.length > 0 && (
        <Pictures images={row.files} zoom={zoom} setZoom={setZoom} />
      )}
      {row.content && (
        <Section title={say(['文案', 'Text'])}>
          <p className="d-copy">{row.content}</p>
        </Section>
      )}
      <Section title={say(['素材', 'Material'])}>
        <Facts>
          <Fact label={say(['类型', 'Kind'])}>{say(materialKinds[row.kind])}</Fact>
          <Fact label={say(['二维码区域', 'Code area'])}>
            {area ? `${area.x}, ${area.y} · ${area.size}×${area.size}` : '—'}
          </Fact>
          {row.product_id !== null && (
            <>
              <Fact wide label={say(['商品', 'Product'])}>
                {row.product_name}
                {!row.on_sale && <span className="m-muted"> {say(['未上架', 'not on sale'])}</span>}
              </Fact>
              <Fact label={say(['售价', 'Price'])}>
                <Money cents={row.price_cents ?? 0} />
              </Fact>
              <Fact label={say(['不一致的价格', 'Price mismatches'])}>
                {row.outdated.map(cents => yuan(cents)).join(say(comma)) || '—'}
              </Fact>
            </>
          )}
          {row.kind === 'video' && (
            <Fact wide label={say(['视频', 'Video'])}>
              <a href={row.files[0]} target="_blank" rel="noreferrer">
                {row.files[0]}
              </a>
            </Fact>
          )}
          <Fact wide label={say(['适用商场', 'Malls'])}>
            {row.mall_names.join(say(comma)) || say(['全部商场', 'All malls'])}
          </Fact>
          <Fact label={say(['开始时间', 'From'])}>
            <When at={row.start_at} />
          </Fact>
          <Fact label={say(['结束时间', 'Until'])}>
            <When at={row.end_at} />
          </Fact>
          {row.price_confirmed_at !== null && (
            <Fact label={say(['价格确认时间', 'Price confirmed'])}>
              <When at={row.price_confirmed_at} />
            </Fact>
          )}
          {row.reason && (
            <Fact wide label={say(['下线原因', 'Offline reason'])}>
              {row.reason}
            </Fact>
          )}
        </Facts>
      </Section>
      <Effect row={row} />
    </Inspector>
  )
}

/** What sellers promote with, what it brought, and which of it prints an old price. */
export default function Materials() {
  const say = useSay()
  const list = useList(calls.lst)
  const { tabs } = useStateTabs(list, calls.lst, materialStates)
  const [poster, setPoster] = useState<TestedPoster | undefined>(undefined)
  useExport(actions.export, calls.export, { list })
  useResult(actions.testPoster, tested => setPoster(tested))
  return (
    <>
      <ListDetail>
        <List
          of={list}
          label={say(['推广素材', 'Promotion materials'])}
          columns={columns}
          actions={Object.values(actions)}
          tabs={tabs}
          filters={
            <>
              <Keyword
                of={list}
                by="keyword"
                placeholder={say(['标题、商品或编号', 'Title, goods or ID'])}
              />
              <Choice of={list} by="kind" label={say(['类型', 'Kind'])} words={materialKinds} />
              <MallFilter of={list} />
              <Toggle of={list} by="outdated" label={say(['价格不一致', 'Price differs'])} />
              <Toggle of={list} by="ending" label={say(['7 天内结束', 'Ends in 7 days'])} />
            </>
          }
        />
        <Chosen
          of={list}
          none={say([
            '选择一个素材查看内容与效果',
            'Choose material to see its content and results',
          ])}
        >
          {row => <Detail key={row.id} row={row} />}
        </Chosen>
      </ListDetail>
      {poster && <MaterialPoster of={poster} close={() => setPoster(undefined)} />}
    </>
  )
}
