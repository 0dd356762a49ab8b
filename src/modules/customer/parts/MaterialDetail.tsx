import { Link } from 'wouter'
import { to, type Page } from '#commands/command.ts'
import { channelWelcomePage, groupsWelcomePage } from '#commands/pages/channel.ts'
import { customerListPage } from '#commands/pages/customer.ts'
import {
  holderKinds,
  materialKinds,
  notAdvisers,
  type HolderKind,
} from '#src/areas/wecomMaterial/material.ts'
import { unixNow } from '#src/domain/time.ts'
import { SmallTable, State, Words } from '#src/kit/cells.tsx'
import { useRead } from '#src/kit/data.ts'
import { Inspector } from '#src/kit/inspector.tsx'
import { Badge, Fact, Facts, Section, When } from '#src/kit/show.tsx'
import { Answer } from '#src/kit/states.tsx'
import { useSay, wecomSaid } from '#src/kit/text.ts'
import { useWorkbench } from '#src/kit/workbench.ts'
import { customerMaterials as calls, type MaterialRow } from '../contract/material.ts'
import {
  clickRate,
  MaterialChat,
  MaterialMarks,
  materialLooks,
  mediaLooks,
} from './materialLooks.tsx'

type Props = { row: MaterialRow }
const pages: Readonly<Record<HolderKind, Page>> = {
  welcome: channelWelcomePage,
  group: groupsWelcomePage,
  mass: customerListPage,
}
const Holder = ({ use }: { use: MaterialRow['uses'][number] }) => {
  const { me } = useWorkbench()
  const page = pages[use.holder]
  if (use.holder === 'mass' || !me.can(page.permit)) return use.name
  return <Link href={to(page, { id: use.id })}>{use.name}</Link>
}
/** What carries it: that decides whether it can be changed, turned off or deleted. */
const Uses = ({ row }: Props) => {
  const say = useSay()
  return (
    <Section title={say(['使用位置（{n}）', 'Used in ({n})'], { n: row.uses_n })}>
      {row.uses_n === 0 ? (
        <p className="m-muted">
          {say(['没有消息使用它，可以停用或删除', 'Not used by any message; it can be disabled'])}
        </p>
      ) : (
        <SmallTable
          head={[
            ['类型', 'Kind'],
            ['名称', 'Name'],
            ['活码', 'Codes'],
            ['状态', 'State'],
          ]}
          rows={row.uses}
          keyOf={use => `${use.holder}${use.id}`}
          cells={use => [
            <Words key="kind" of={holderKinds[use.holder]} />,
            <Holder key="name" use={use} />,
            use.codes || '—',
            <Badge key="live" tone={use.live ? 'good' : 'plain'}>
              {say(use.live ? ['使用中', 'In use'] : ['未启用', 'Not on'])}
            </Badge>,
          ]}
        />
      )}
    </Section>
  )
}
const Effect = ({ row }: Props) => {
  const say = useSay()
  return (
    <Section title={say(['效果', 'Results'])}>
      <Facts>
        <Fact label={say(['发送人次', 'Sends'])}>{row.sends}</Fact>
        <Fact label={say(['点击人次', 'Clicked'])}>
          {row.clickers.toLocaleString('en-US')} <span className="m-muted">{clickRate(row)}</span>
        </Fact>
        <Fact label={say(['打开次数', 'Opens'])}>{row.opens}</Fact>
        <Fact label={say(['7 日转化订单', 'Orders in 7 days'])}>{row.orders}</Fact>
      </Facts>
      <p className="m-muted">
        {row.kind === 'link'
          ? say([
              '欢迎语中的链接按客户统计；群发按成员统计打开次数，入群欢迎语不统计',
              'Links in welcomes are counted per customer and broadcast opens per adviser; group welcomes are not counted',
            ])
          : say([
              '企微不回传打开情况，只有链接可统计点击',
              'WeCom does not report opens; only link clicks are counted',
            ])}
      </p>
    </Section>
  )
}
const MediaFacts = ({ row }: Props) => {
  const say = useSay()
  const { media } = row
  if (media.state === 'none') return null
  return (
    <Section title={say(['媒体凭证', 'File in WeCom'])}>
      <Facts>
        <Fact label={say(['状态', 'State'])}>
          {media.waiting ? (
            <Badge tone="info">{say(['刷新中', 'Refreshing'])}</Badge>
          ) : (
            <State of={media.state} in={mediaLooks} />
          )}
        </Fact>
        <Fact label={say(['到期', 'Until'])}>
          <When at={media.expire_at} />
        </Fact>
        {media.error && (
          <Fact wide label={say(['失败原因', 'Failure reason'])}>
            <span className="m-bad">{wecomSaid(say, media)}</span>
          </Fact>
        )}
      </Facts>
    </Section>
  )
}
/** Sends and openings by adviser, then version by version. */
const Versions = ({ row }: Props) => {
  const say = useSay()
  const read = useRead(calls.versions, { id: row.id, n: row.content_n })
  return (
    <Answer of={read}>
      {({ list, advisers }) => (
        <>
          {advisers.length > 0 && (
            <Section title={say(['按成员（{n}）', 'By adviser ({n})'], { n: advisers.length })}>
              <SmallTable
                head={[
                  ['成员', 'Adviser'],
                  ['发送', 'Sends'],
                  ['打开', 'Opens'],
                ]}
                rows={advisers}
                keyOf={one => one.staff_id ?? 0}
                cells={one => [
                  one.name || say(notAdvisers),
                  one.sends.toLocaleString('en-US'),
                  row.kind === 'link' ? one.opens.toLocaleString('en-US') : '—',
                ]}
              />
            </Section>
          )}
          <Section title={say(['版本', 'Versions'])}>
            <SmallTable
              head={[
                ['版本', 'Version'],
                ['时间', 'Time'],
                ['修改人', 'By'],
                ['发送', 'Sends'],
                ['点击', 'Clicked'],
              ]}
              rows={list}
              keyOf={one => one.n}
              cells={one => [
                `V${one.n}`,
                <When key="at" at={one.created_at} />,
                one.by || '—',
                one.sends.toLocaleString('en-US'),
                one.clickers.toLocaleString('en-US'),
              ]}
            />
          </Section>
        </>
      )}
    </Answer>
  )
}
/** A material as customers see it, what carries it, and what came of it. */
export const MaterialDetail = ({ row }: Props) => {
  const say = useSay()
  return (
    <Inspector
      title={row.title}
      aside={
        <>
          <State of={row.status} in={materialLooks} /> <MaterialMarks row={row} now={unixNow()} />
        </>
      }
    >
      <Section title={say(['客户看到的样子', 'What customers see'])}>
        <MaterialChat title={row.title} body={row.body} />
      </Section>
      <Uses row={row} />
      <Effect row={row} />
      <MediaFacts row={row} />
      <Section title={say(['素材', 'Material'])}>
        <Facts>
          <Fact label={say(['类型', 'Kind'])}>
            <Words of={materialKinds[row.kind]} />
          </Fact>
          <Fact label={say(['分类', 'Category'])}>{row.category}</Fact>
          <Fact label={say(['有效期至', 'Valid until'])}>
            {row.valid_to_at === null ? (
              say(['长期', 'No end date'])
            ) : (
              <When at={row.valid_to_at} />
            )}
          </Fact>
          <Fact label={say(['负责人', 'Owner'])}>{row.owner}</Fact>
          {row.off_reason && (
            <Fact wide label={say(['停用原因', 'Reason disabled'])}>
              {row.off_reason}
            </Fact>
          )}
        </Facts>
      </Section>
      <Versions row={row} />
    </Inspector>
  )
}
