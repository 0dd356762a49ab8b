import { BanCircle as Ban, Disable, Offline, Tick, WarningSign } from '@blueprintjs/icons'
import { useMemo, useState, type ComponentType } from 'react'
import { Link } from 'wouter'
import { hlinkActions } from '#commands/system/content.ts'
import {
  filledPath,
  linkHealths,
  linkTargets,
  linkTypes,
  missingParams,
  type LinkHealth,
} from '#src/areas/link/pageLink.ts'
import { skipToken, useRead } from '#src/kit/data.ts'
import { useExport } from '#src/kit/exporting.ts'
import type { Column } from '#src/kit/grid.tsx'
import { Choice, Keyword, List } from '#src/kit/list.tsx'
import { Badge, Fact, Facts, Section, When, type ToneName } from '#src/kit/show.tsx'
import { Split } from '#src/kit/split.tsx'
import { Empty, Failed, Loading } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { useList } from '#src/kit/uselist.ts'
import { useAction, useResult, useWorkbench } from '#src/kit/workbench.ts'
import { hlink as calls, type LinkRow } from '../contract/hlink.ts'
import { CodeDialog } from '../parts/CodeDialog.tsx'
import '../parts/content.css'

const healthTone: Record<LinkHealth, ToneName> = {
  ok: 'good',
  off_shelf: 'warn',
  dead: 'bad',
  unknown: 'plain',
}
const healthIcon: Record<LinkHealth, ComponentType<{ size?: number }>> = {
  ok: Tick,
  off_shelf: WarningSign,
  dead: Disable,
  unknown: Offline,
}
const Health = ({ of }: { of: LinkHealth }) => {
  const say = useSay()
  return (
    <Badge tone={healthTone[of]} icon={healthIcon[of]}>
      {say(linkHealths[of])}
    </Badge>
  )
}
const asksFor = (row: LinkRow) =>
  row.params
    .map(
      param =>
        `${param.key}${param.value === undefined ? (param.required ? ' *' : '') : ` = ${param.value}`}`,
    )
    .join(', ')

/** A link in full: what it asks for, and everything that leads through it. */
const Inspector = ({ row }: { row: LinkRow }) => {
  const say = useSay()
  const { me } = useWorkbench()
  const may = me.can(calls.whereUsed.permit)
  const uses = useRead(calls.whereUsed, may ? { id: row.id } : skipToken)
  return (
    <div className="c-inspect">
      <header>
        <h2>{row.name}</h2>
        <Health of={row.health} />
        {row.status === 'off' && <Badge icon={Ban}>{say(['已停用', 'Disabled'])}</Badge>}
      </header>
      <Section title={say(['地址', 'Address'])}>
        <Facts>
          <Fact label={say(['类型', 'Type'])}>{say(linkTypes[row.type])}</Fact>
          <Fact label={say(['检测时间', 'Checked'])}>
            <When at={row.checked_at} />
          </Fact>
          <Fact wide label={say(['路径', 'Path'])}>
            <code className="c-clip">{row.path}</code>
          </Fact>
          {row.appid && (
            <Fact wide label="AppID">
              <code>{row.appid}</code>
            </Fact>
          )}
          {row.params.length > 0 && missingParams(row.params, {}).length === 0 && (
            <Fact wide label={say(['完整地址', 'In full'])}>
              <code className="c-clip">{filledPath(row.path, row.params, {})}</code>
            </Fact>
          )}
        </Facts>
        {row.params.length > 0 && (
          <table className="c-table">
            <thead>
              <tr>
                <th>{say(['参数', 'Parameter'])}</th>
                <th>{say(['说明', 'Label'])}</th>
                <th>{say(['对象', 'Target'])}</th>
                <th>{say(['取值', 'Value'])}</th>
              </tr>
            </thead>
            <tbody>
              {row.params.map(param => (
                <tr key={param.key}>
                  <td>
                    <code>{param.key}</code>
                  </td>
                  <td>{param.label}</td>
                  <td>{say(linkTargets[param.target])}</td>
                  <td>
                    {param.value ??
                      (param.required
                        ? say(['选用时必填', 'Asked when picked'])
                        : say(['可不填', 'May stay empty']))}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </Section>
      <Section title={say(['引用位置（{n}）', 'Used in ({n})'], { n: row.used_count })}>
        {!may ? (
          <p className="m-muted">
            {say(['没有查看引用位置的权限', 'You may not see where it is used'])}
          </p>
        ) : uses.error ? (
          <Failed error={uses.error} retry={uses.refetch} />
        ) : !uses.data ? (
          <Loading lines={3} />
        ) : uses.data.list.length === 0 ? (
          <p className="m-muted">
            {say(['没有内容使用这个链接，可以放心停用。', 'Nothing uses it: it can be disabled.'])}
          </p>
        ) : (
          <table className="c-table">
            <thead>
              <tr>
                <th>{say(['内容', 'Content'])}</th>
                <th>{say(['位置', 'Place'])}</th>
                <th>{say(['状态', 'State'])}</th>
              </tr>
            </thead>
            <tbody>
              {uses.data.list.map(use => (
                <tr key={`${use.kind}${use.id}`}>
                  <td>
                    <Link href={use.path}>{use.kind}</Link> {use.label}
                  </td>
                  <td>{use.place}</td>
                  <td>
                    {use.live ? (
                      <Badge tone="good">{say(['在线', 'Live'])}</Badge>
                    ) : (
                      <Badge>{say(['未在线', 'Not live'])}</Badge>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </Section>
    </div>
  )
}

/** The library of jump targets: what each is, whether it still leads somewhere, and who uses it. */
export default function PageLinks() {
  const say = useSay()
  const { toast } = useWorkbench()
  const list = useList(calls.lst)
  const [code, setCode] = useState<LinkRow | undefined>(undefined)
  const { page: _, pageSize: __, ...filters } = list.input
  useExport(hlinkActions.export, calls.export, () => filters)
  useAction(hlinkActions.getMpImg, rows => setCode(rows[0]))
  useAction(hlinkActions.whereUsed, rows => list.focus(rows[0]?.id))
  useResult(hlinkActions.check, ({ health, note }) =>
    toast(note, health === 'ok' ? 'success' : health === 'unknown' ? 'none' : 'warning'),
  )
  useResult(hlinkActions.batchCheck, ({ ok, dead, off_shelf }) =>
    toast(
      say(['检测 {n} 个：失效 {dead}，下架 {off}', '{n} checked: {dead} dead, {off} off shelf'], {
        n: ok.length,
        dead,
        off: off_shelf,
      }),
      dead + off_shelf > 0 ? 'warning' : 'success',
    ),
  )
  useResult(hlinkActions.replace, ({ replaced }) =>
    toast(say(['已替换 {n} 处引用', '{n} uses replaced'], { n: replaced }), 'success'),
  )
  const columns = useMemo(
    (): Column<LinkRow>[] => [
      {
        key: 'name',
        title: ['名称', 'Name'],
        width: 150,
        grow: true,
        cell: row => row.name,
        words: row => row.name,
      },
      { key: 'type', title: ['类型', 'Type'], width: 92, cell: row => say(linkTypes[row.type]) },
      {
        key: 'path',
        title: ['路径', 'Path'],
        width: 160,
        grow: true,
        cell: row => <code>{row.path}</code>,
        words: row => row.path,
      },
      {
        key: 'params',
        title: ['参数', 'Parameters'],
        width: 88,
        cell: row => (row.params.length ? asksFor(row) : <span className="m-muted">—</span>),
        words: asksFor,
      },
      {
        key: 'used_count',
        title: ['引用', 'Used'],
        width: 52,
        align: 'end',
        cell: row => row.used_count || <span className="m-muted">0</span>,
      },
      {
        key: 'health',
        title: ['检测', 'Health'],
        width: 112,
        cell: row =>
          row.status === 'off' ? (
            <Badge icon={Ban}>{say(['已停用', 'Disabled'])}</Badge>
          ) : (
            <Health of={row.health} />
          ),
      },
      {
        key: 'status',
        title: ['状态', 'State'],
        width: 76,
        optional: true,
        cell: row =>
          row.status === 'on' ? (
            <Badge tone="good">{say(['启用', 'On'])}</Badge>
          ) : (
            <Badge>{say(['停用', 'Off'])}</Badge>
          ),
      },
      {
        key: 'live_count',
        title: ['在线引用', 'Live uses'],
        width: 84,
        align: 'end',
        optional: true,
        cell: row => row.live_count,
      },
      {
        key: 'checked_at',
        title: ['检测时间', 'Checked'],
        width: 110,
        optional: true,
        cell: row => <When at={row.checked_at} />,
      },
      {
        key: 'id',
        title: ['编号', 'ID'],
        width: 64,
        align: 'end',
        optional: true,
        cell: row => row.id,
      },
    ],
    [say],
  )
  return (
    <>
      <Split label={say(['列表与详情的分隔', 'Between list and detail'])} start={62}>
        <List
          of={list}
          label={say(['页面链接', 'Page links'])}
          columns={columns}
          actions={Object.values(hlinkActions)}
          onOpen={row => list.focus(row.id)}
          filters={
            <>
              <Keyword of={list} placeholder={say(['名称、路径或编号', 'Name, path or ID'])} />
              <Choice
                of={list}
                by="type"
                label={say(['类型', 'Type'])}
                options={Object.entries(linkTypes).map(([value, text]) => ({
                  value,
                  label: say(text),
                }))}
              />
              <Choice
                of={list}
                by="health"
                label={say(['检测结果', 'Health'])}
                options={Object.entries(linkHealths).map(([value, text]) => ({
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
            </>
          }
        />
        {list.focusedRow ? (
          <Inspector key={list.focusedRow.id} row={list.focusedRow} />
        ) : list.loaded ? (
          <Empty title={say(['选择一个链接', 'Choose a link'])} />
        ) : (
          <Loading />
        )}
      </Split>
      {code && (
        <CodeDialog
          title={code.name}
          path={filledPath(code.path, code.params, {})}
          close={() => setCode(undefined)}
        />
      )}
    </>
  )
}
