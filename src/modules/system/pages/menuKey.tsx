import { HTMLSelect, InputGroup } from '@blueprintjs/core'
import { useState } from 'react'
import { menuKey as page } from '#commands/pages/system.ts'
import { menuKeyActions as actions } from '#commands/system/people.ts'
import { switches } from '#src/areas/people/people.ts'
import { fieldModes } from '#src/areas/people/rights.ts'
import { maskRules, type MaskRule } from '#src/domain/mask.ts'
import { skipToken, useRead } from '#src/kit/data.ts'
import { useExport } from '#src/kit/exporting.ts'
import { Choice, Keyword } from '#src/kit/filters.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { FoldedFacts } from '#src/kit/inspector.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { Badge, Fact, Facts, Section, When, type ToneName } from '#src/kit/show.tsx'
import { Empty, Unanswered } from '#src/kit/states.tsx'
import { titleIn, useLang, useSay } from '#src/kit/text.ts'
import { useList } from '#src/kit/uselist.ts'
import { Window } from '#src/kit/window.tsx'
import { useAction, useWorkbench } from '#src/kit/workbench.ts'
import { menuKey as calls, type FieldKeyRow } from '../contract/menuKey.ts'
import '../parts/people.css'

const tones: Record<FieldKeyRow['default_mode'], ToneName> = {
  show: 'warn',
  mask: 'info',
  hide: 'good',
}
const Mode = ({ of }: { of: FieldKeyRow['default_mode'] }) => {
  const say = useSay()
  return <Badge tone={tones[of]}>{say(fieldModes[of])}</Badge>
}
const Rule = ({ of }: { of: MaskRule }) => {
  const say = useSay()
  return <>{say(maskRules[of])}</>
}
const State = ({ of }: { of: FieldKeyRow }) => {
  const say = useSay()
  return <Badge tone={of.status === 'on' ? 'good' : 'plain'}>{say(switches[of.status])}</Badge>
}
const columns: readonly Column<FieldKeyRow>[] = [
  {
    key: 'key',
    title: ['字段', 'Key'],
    width: 170,
    grow: true,
    cell: row => <code className="p-code">{row.key}</code>,
    words: row => row.key,
  },
  { key: 'title', title: ['名称', 'Title'], width: 112, cell: row => row.title },
  {
    key: 'rule',
    title: ['脱敏规则', 'Mask'],
    width: 120,
    cell: row => <Rule of={row.mask_rule} />,
  },
  {
    key: 'sample',
    title: ['示例', 'Sample'],
    width: 148,
    cell: row => row.sample,
    words: row => row.sample,
  },
  {
    key: 'mode',
    title: ['默认', 'Default'],
    width: 64,
    cell: row => <Mode of={row.default_mode} />,
  },
  {
    key: 'overrides',
    title: ['角色设置', 'Overrides'],
    width: 80,
    align: 'end',
    cell: row => row.overrides.length || '—',
  },
  {
    key: 'reveals',
    title: ['30 天查看', '30 d reveals'],
    width: 90,
    align: 'end',
    cell: row => row.reveals_30d || '—',
  },
  {
    key: 'reveals_a_day',
    title: ['每日上限', 'A day'],
    width: 80,
    align: 'end',
    optional: true,
    cell: row => row.reveals_a_day,
  },
  { key: 'status', title: ['状态', 'State'], width: 70, cell: row => <State of={row} /> },
]

const Reveals = ({ of }: { of: FieldKeyRow }) => {
  const say = useSay()
  const { me } = useWorkbench()
  const may = me.can(actions.viewReveals.permit)
  const read = useRead(calls.viewReveals, may ? { key: of.key, pageSize: 50 } : skipToken)
  if (!may)
    return <span className="m-muted">{say(['没有查看记录的权限', 'You may not see them'])}</span>
  if (!read.data) return <Unanswered of={read} lines={3} />
  if (read.data.list.length === 0)
    return <span className="m-muted">{say(['没有人查看过明文', 'Nobody looked'])}</span>
  return (
    <table className="p-table">
      <thead>
        <tr>
          <th>{say(['时间', 'When'])}</th>
          <th>{say(['操作人', 'By'])}</th>
          <th>{say(['对象', 'Whose'])}</th>
          <th>{say(['原因', 'Reason'])}</th>
        </tr>
      </thead>
      <tbody>
        {read.data.list.map(one => (
          <tr key={one.id}>
            <td>
              <When at={one.created_at} />
            </td>
            <td>{one.admin_name}</td>
            <td>{one.object_label || `${one.object_type} #${one.object_id ?? ''}`}</td>
            <td>{one.reason}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
const Field = ({ of }: { of: FieldKeyRow }) => {
  const say = useSay()
  return (
    <div className="p-side">
      <div className="p-head">
        <h2>
          {of.title}
          <State of={of} />
        </h2>
        <p>
          <code className="p-code">{of.key}</code>
        </p>
      </div>
      <div className="p-body" data-reveals tabIndex={0} role="region" aria-label={of.key}>
        <Section title={say(['规则', 'Rule'])}>
          <Facts>
            <Fact label={say(['默认展示', 'Default'])}>
              <Mode of={of.default_mode} />
            </Fact>
            <Fact label={say(['脱敏规则', 'Mask'])}>
              <Rule of={of.mask_rule} />
            </Fact>
            <Fact label={say(['每人每日可查看', 'Daily reveals each'])}>
              <span className="m-num">{say(['{n} 次', '{n}'], { n: of.reveals_a_day })}</span>
            </Fact>
            <Fact label={say(['示例', 'Sample'])}>
              <span className="m-num">{of.sample}</span>
            </Fact>
            <Fact label={say(['接口脱敏', 'Guarded'])}>
              {of.guarded ? (
                <Badge tone="good">{say(['已生效', 'By the server'])}</Badge>
              ) : (
                <Badge
                  tone="plain"
                  title={say(['还没有接口返回这个字段', 'No answer of the server carries it yet'])}
                >
                  {say(['暂未使用', 'Not used yet'])}
                </Badge>
              )}
            </Fact>
          </Facts>
        </Section>
        <Section title={say(['角色的不同设置', 'Role overrides'])}>
          {of.overrides.length === 0 ? (
            <span className="m-muted">
              {say(['所有角色都按默认', 'Every role uses the default'])}
            </span>
          ) : (
            <Facts>
              {of.overrides.map(one => (
                <Fact key={one.role_id} label={one.role}>
                  <Mode of={one.mode} />
                </Fact>
              ))}
            </Facts>
          )}
        </Section>
        <Section
          title={say(['明文查看记录（近 30 天 {n} 次）', 'Reveals ({n} in 30 days)'], {
            n: of.reveals_30d,
          })}
        >
          <Reveals of={of} />
        </Section>
        <FoldedFacts />
      </div>
    </div>
  )
}
const Try = ({ first, close }: { first: MaskRule; close: () => void }) => {
  const say = useSay()
  const [rule, setRule] = useState<MaskRule>(first)
  const [sample, setSample] = useState('')
  const read = useRead(calls.testMask, sample ? { mask_rule: rule, sample } : skipToken)
  return (
    <Window title={say(['试算脱敏效果', 'Try the mask'])} close={close} width={480}>
      <div style={{ marginBottom: 12 }}>
        <HTMLSelect
          aria-label={say(['脱敏规则', 'Mask'])}
          value={rule}
          onChange={event => setRule(event.target.value as MaskRule)}
          options={Object.entries(maskRules).map(([value, text]) => ({ value, label: say(text) }))}
        />
      </div>
      <InputGroup
        data-autofocus
        aria-label={say(['示例', 'Sample'])}
        placeholder={say(['输入一个值', 'Type a value'])}
        value={sample}
        maxLength={200}
        onValueChange={setSample}
      />
      <p
        className="p-password"
        role="status"
        style={{ minHeight: 32, margin: '12px 0 0', overflowWrap: 'anywhere' }}
      >
        {sample && read.data?.masked}
      </p>
      <p className="m-muted">
        {say(['已含 * 的值原样返回。', 'A value with * in it stays as it is.'])}
      </p>
    </Window>
  )
}

export default function FieldKeys() {
  const say = useSay()
  const now = useLang()
  const list = useList(calls.lst)
  const [trying, setTrying] = useState(false)
  useAction(actions.testMask, () => setTrying(true))
  useAction(actions.viewReveals, () =>
    document.querySelector<HTMLElement>('[data-reveals]')?.focus(),
  )
  useExport(actions.export, calls.export, { list })
  const entities = [...new Set(list.rows.map(row => row.entity))]
  return (
    <>
      <ListDetail label={say(['字段与详情的分隔', 'Between fields and detail'])}>
        <List
          of={list}
          label={titleIn(page, now)}
          columns={columns}
          actions={Object.values(actions)}
          onOpen={() => {}}
          filters={
            <>
              <Keyword of={list} placeholder={say(['字段或名称', 'Key or title'])} />
              <Choice
                of={list}
                by="entity"
                label={say(['对象', 'Entity'])}
                options={[
                  ...new Set([...entities, ...(list.input.entity ? [list.input.entity] : [])]),
                ].map(one => ({ value: one, label: one }))}
              />
              <Choice
                of={list}
                by="mode"
                label={say(['默认展示', 'Default'])}
                options={Object.entries(fieldModes).map(([value, text]) => ({
                  value,
                  label: say(text),
                }))}
              />
              <Choice
                of={list}
                by="status"
                label={say(['状态', 'State'])}
                options={Object.entries(switches).map(([value, text]) => ({
                  value,
                  label: say(text),
                }))}
              />
            </>
          }
        />
        {list.focusedRow ? (
          <Field of={list.focusedRow} />
        ) : (
          <Empty title={say(['选择一个字段', 'Choose a field'])} />
        )}
      </ListDetail>
      {trying && (
        <Try first={list.focusedRow?.mask_rule ?? 'phone'} close={() => setTrying(false)} />
      )}
    </>
  )
}
