import { Button } from '@blueprintjs/core'
import type { Designed, PageVersion } from '#src/contract/designer.ts'
import { colon } from '#src/domain/text.ts'
import { Section, When } from '../show.tsx'
import { useSay } from '../text.ts'
import type { PageData } from './properties.tsx'

/** What keeps the page from being published; each leads to its block. */
export const DesignFaults = ({
  faults,
  nameOf,
  go,
}: {
  faults: PageData['faults']
  nameOf: (block: string) => string
  go: (block: string) => void
}) => {
  const say = useSay()
  if (faults.length === 0) return null
  return (
    <Section title={say(['待修正（{n}）', 'To put right ({n})'], { n: faults.length })}>
      <ul className="cd-faults">
        {faults.map(fault => (
          <li key={`${fault.block}/${fault.field}/${fault.text}`}>
            <Button
              fill
              alignText="start"
              size="small"
              variant="minimal"
              intent="danger"
              onClick={() => go(fault.block)}
            >
              {nameOf(fault.block)}
              {say(colon)}
              {fault.text}
            </Button>
          </li>
        ))}
      </ul>
    </Section>
  )
}

type Versions = {
  of: Designed
  address: string
  compare: (no: number) => void
  rollback: (no: number) => void
}
const VersionLine = ({
  of,
  version,
  compare,
  rollback,
}: Omit<Versions, 'address'> & { version: PageVersion }) => {
  const say = useSay()
  const { no } = version
  const isLive = no === of.live_no
  const state = () => {
    if (isLive) return say(['线上', 'Live'])
    if (no === of.scheduled?.no) return say(['待发布', 'Scheduled'])
    return version.published_at === null && say(['未发布', 'Never live'])
  }
  const copied =
    version.from_rollback !== null &&
    say(['回滚自 {no}', 'copy of {no}'], { no: version.from_rollback })
  return (
    <li data-live={isLive || undefined}>
      <div>
        <b className="m-num">{no}</b> {version.note}{' '}
        <small className="m-muted">
          {[state(), copied, version.by].filter(Boolean).join(' · ')} ·{' '}
          <When at={version.published_at ?? version.made_at} />
        </small>
      </div>
      <Button
        size="small"
        variant="minimal"
        aria-label={say(['对比版本 {no} 与草稿', 'Compare version {no} with the draft'], { no })}
        onClick={() => compare(no)}
      >
        {say(['对比', 'Compare'])}
      </Button>
      {version.published_at !== null && !isLive && (
        <Button
          size="small"
          variant="minimal"
          aria-label={say(['回滚到版本 {no}', 'Roll back to version {no}'], { no })}
          onClick={() => rollback(no)}
        >
          {say(['回滚', 'Roll back'])}
        </Button>
      )}
    </li>
  )
}
/** The versions of the page, the newest first, with what can be done with each. */
export const DesignVersions = ({ address, ...of }: Versions) => {
  const say = useSay()
  return (
    <Section
      title={say(['版本', 'Versions'])}
      aside={
        of.of.live_no !== null && (
          <a href={address} target="_blank" rel="noreferrer">
            {say(['打开线上页面', 'Open the live page'])}
          </a>
        )
      }
    >
      {of.of.versions.length === 0 && (
        <p className="m-muted">
          {say([
            '还没有发布过，用户看到默认模板。',
            'Nothing is published yet: consumers see the default page.',
          ])}
        </p>
      )}
      <ol className="cd-versions">
        {of.of.versions.map(version => (
          <VersionLine key={version.id} version={version} {...of} />
        ))}
      </ol>
    </Section>
  )
}
