import { tagRuleKinds, tagStates, type TagState } from '#src/areas/wecom/tagging.ts'
import { comma } from '#src/domain/text.ts'
import { SmallTable, State, Words, type States } from '#src/kit/cells.tsx'
import { Inspector } from '#src/kit/inspector.tsx'
import { Badge, Fact, Facts, Money, Section } from '#src/kit/show.tsx'
import { useSay, wecomSaid } from '#src/kit/text.ts'
import type { TagRow } from '../contract/tags.ts'
import './customer.css'

const tagLooks: States<TagState> = {
  active: { text: tagStates.active, tone: 'good' },
  pending: { text: tagStates.pending, tone: 'info' },
  invalid: { text: tagStates.invalid, tone: 'warn' },
  deleted: { text: tagStates.deleted },
}
const useKinds = {
  code: ['渠道活码', 'Live code'],
  segment: ['客户分群', 'Segment'],
  rule: ['自动规则', 'Automatic rule'],
} as const
type Props = { row: TagRow }
/** What is to be known of a tag at a glance: gone, on its way, refused, or a double. */
export const TagMarks = ({ row }: Props) => {
  const say = useSay()
  return (
    <>
      {row.state !== 'active' && <State of={row.state} in={tagLooks} />}
      {row.waiting && row.state === 'active' && (
        <Badge tone="info">{say(['写入企微中', 'Pending'])}</Badge>
      )}
      {row.error && (
        <Badge tone="bad" title={wecomSaid(say, row)}>
          {say(['企微拒绝', 'Rejected'])}
        </Badge>
      )}
      {row.twin && <Badge tone="warn">{say(['组内重名', 'Duplicate name'])}</Badge>}
    </>
  )
}
const RuleSaid = ({ row: { rule } }: Props) => {
  const say = useSay()
  if (rule === null)
    return (
      <p className="m-muted">{say(['没有自动规则，只能手动打标', 'No rule; tagged manually'])}</p>
    )
  return (
    <Facts>
      <Fact label={say(['触发条件', 'Trigger'])}>
        <Words of={tagRuleKinds[rule.kind]} />
      </Fact>
      <Fact label={say(['状态', 'State'])}>
        <Badge tone={rule.on ? 'good' : 'plain'}>
          {say(rule.on ? ['启用', 'On'] : ['停用', 'Off'])}
        </Badge>
      </Fact>
      {rule.kind === 'spend' && (
        <Fact label={say(['单笔实付不低于', 'Paid, at least'])}>
          <Money cents={rule.min_cents ?? 0} sign />
        </Fact>
      )}
      {rule.words && (
        <Fact wide label={say(['关键词', 'Keywords'])}>
          {rule.words.join(say(comma))}
        </Fact>
      )}
      {(rule.mall_ids?.length ?? 0) > 0 && (
        <Fact label={say(['限定商场', 'Malls'])}>{rule.mall_ids!.length}</Fact>
      )}
      {(rule.group_ids?.length ?? 0) > 0 && (
        <Fact label={say(['限定客户群', 'Group chats'])}>{rule.group_ids!.length}</Fact>
      )}
    </Facts>
  )
}
/** A tag: who has it, what uses it, and what gives it by itself. */
export const TagDetail = ({ row }: Props) => {
  const say = useSay()
  return (
    <Inspector title={row.name} aside={<TagMarks row={row} />}>
      <Section title={row.group_name}>
        <Facts>
          <Fact label={say(['客户', 'Customers'])}>
            <span className="m-num">{row.customers.toLocaleString('en-US')}</span>
          </Fact>
          <Fact label={say(['近 30 天新增', 'New in 30 days'])}>
            <span className="m-num">{row.fresh.toLocaleString('en-US')}</span>
          </Fact>
        </Facts>
        {row.state === 'invalid' && (
          <p className="m-muted">
            {say([
              '企微已删除该标签；在企微同组重新创建同名标签并同步后恢复，或在此合并、删除。',
              'Deleted in WeCom: create a tag with this name in the same group there and sync, or merge or delete it here.',
            ])}
          </p>
        )}
      </Section>
      <Section title={say(['正在使用', 'Used by'])}>
        {row.uses.length === 0 ? (
          <p className="m-muted">{say(['没有活码、分群或规则使用', 'Not used anywhere'])}</p>
        ) : (
          <SmallTable
            head={[
              ['类型', 'Kind'],
              ['名称', 'Name'],
            ]}
            rows={row.uses}
            keyOf={one => `${one.kind}${one.id}`}
            cells={one => [<Words key="kind" of={useKinds[one.kind]} />, one.name]}
          />
        )}
      </Section>
      <Section title={say(['自动打标', 'Auto-tagging'])}>
        <RuleSaid row={row} />
      </Section>
    </Inspector>
  )
}
/** A group: its tags in the order of WeCom's client, with who has each. */
export const GroupDetail = ({ row, tags }: Props & { tags: readonly TagRow[] }) => {
  const say = useSay()
  return (
    <Inspector title={row.name} aside={<TagMarks row={row} />}>
      <Section title={say(['标签（企微客户端顺序）', 'Tags, in WeCom order'])}>
        <SmallTable
          head={[
            ['标签', 'Tag'],
            ['客户', 'Customers'],
            ['近 30 天', '30 days'],
            ['使用', 'Used by'],
          ]}
          rows={tags}
          keyOf={one => one.id}
          cells={one => [
            <span key="name" className="cu-tag">
              {one.name} <TagMarks row={one} />
            </span>,
            one.customers,
            one.fresh,
            one.uses.map(use => use.name).join(say(comma)) || '—',
          ]}
        />
      </Section>
    </Inspector>
  )
}
