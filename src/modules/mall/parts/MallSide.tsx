import { Button } from '@blueprintjs/core'
import { to } from '#commands/command.ts'
import { floors as floorsPage } from '#commands/pages/mall.ts'
import {
  completeness,
  isNeeded,
  mallModules,
  missingOf,
  moduleKeys,
  usualOptions,
  wanted,
} from '#src/areas/mall/mall.ts'
import type { Result } from '#src/contract/call.ts'
import { clause } from '#src/domain/text.ts'
import { Picture } from '#src/kit/image.tsx'
import { Phone } from '#src/kit/phone.tsx'
import { Badge, Keys, Section } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import { useWorkbench } from '#src/kit/workbench.ts'
import type { mall as calls } from '../contract/index.ts'
import type { MallAnswers, MallProfile } from './mallAsks.ts'
import './mall.css'

/** Floors are made on a page of their own, once the mall is saved. */
const FloorHint = ({ now }: { now: MallProfile | undefined }) => {
  const say = useSay()
  const { open, me } = useWorkbench()
  if (!now)
    return (
      <p className="m-muted">
        {say(['先保存，再到楼层管理添加楼层', 'Save first, then add floors'])}
      </p>
    )
  if (!me.can(floorsPage.permit)) return null
  const address = to(floorsPage, { mid: now.mid })
  return (
    <p>
      <a
        href={address}
        onClick={event => {
          event.preventDefault()
          open(address)
        }}
      >
        {say(['去添加楼层', 'Add floors'])}
      </a>
    </p>
  )
}
/** How complete the profile is, and what keeps the mall from going online. */
export const Completeness = ({ of, now }: { of: MallAnswers; now: MallProfile | undefined }) => {
  const say = useSay()
  const missing = missingOf({
    city_id: Number(of.city) || null,
    lng_e6: of.pin?.lng_e6 ?? null,
    lat_e6: of.pin?.lat_e6 ?? null,
    covers: of.covers ?? [],
    shown_floors: now && !now.missing.includes('floor') ? 1 : 0,
    logo: of.logo?.[0] ?? '',
    phone: of.phone ?? '',
    open_hours: of.hours ?? [],
    address: of.address ?? '',
    intro: of.intro ?? '',
  })
  return (
    <Section
      title={say(['完整度', 'Completeness'])}
      aside={<span className="m-num">{completeness(missing)}%</span>}
    >
      {missing.length === 0 ? (
        <Badge tone="good">{say(['资料齐全，可以上线', 'Complete: ready to publish'])}</Badge>
      ) : (
        <div className="ml-missing">
          {missing.map(key => (
            <Badge key={key} tone={isNeeded(key) ? 'bad' : 'warn'}>
              {say(wanted[key])}
            </Badge>
          ))}
        </div>
      )}
      {missing.includes('floor') && <FloorHint now={now} />}
    </Section>
  )
}
type Near = Result<typeof calls.checkDuplicate>
/** Malls near by or of the same name. */
export const NearMalls = ({ of }: { of: Near | undefined }) => {
  const say = useSay()
  return (
    <div id="ml-near">
      <Section title={say(['500 米内或同名', 'Nearby or same name'])}>
        {of && of.list.length > 0 ? (
          <ul className="ml-near">
            {of.list.map(one => (
              <li key={one.id}>
                {one.name}{' '}
                <span className="m-muted">
                  {one.city_name}
                  {one.metres !== null && say(['，{n} 米', ', {n} m'], { n: one.metres })}
                </span>
                {one.same_name && (
                  <>
                    {' '}
                    <Badge tone="bad">{say(['同名', 'Same name'])}</Badge>
                  </>
                )}
              </li>
            ))}
          </ul>
        ) : (
          <span className="m-muted">{say(['没有发现重复', 'No duplicates found'])}</span>
        )}
      </Section>
    </div>
  )
}
/** The mall's page as customers see it, while it is written. */
const MallPhone = ({ of, now }: { of: MallAnswers; now: MallProfile | undefined }) => {
  const say = useSay()
  const options = now?.options ?? usualOptions
  const modules = options.block_order.filter(
    key => options[`show_${key}`] && moduleKeys.includes(key),
  )
  return (
    <Phone label={say(['手机预览', 'Phone preview'])} title={of.name || say(['商场名称', 'Name'])}>
      {of.covers?.[0] ? (
        <Picture of={of.covers[0]} label={say(['封面', 'Cover'])} />
      ) : (
        <div className="ml-block m-muted">{say(['未上传封面', 'No cover'])}</div>
      )}
      <div className="ml-block">
        <h4>{of.name}</h4>
        <div>{of.address}</div>
        <div>{(of.hours ?? []).map(one => `${one.from}–${one.to}`).join(say(clause))}</div>
        <div>{of.phone}</div>
      </div>
      {modules.map(key => (
        <div className="ml-block" key={key}>
          {say(mallModules[key])}
        </div>
      ))}
    </Phone>
  )
}
/** The preview with the button that shows and hides it. */
export const MallPreview = ({
  isOpen,
  toggle,
  ...shown
}: Parameters<typeof MallPhone>[0] & { isOpen: boolean; toggle: () => void }) => {
  const say = useSay()
  return (
    <>
      {isOpen && <MallPhone {...shown} />}
      <div className="ml-preview">
        <Button size="small" onClick={toggle}>
          {isOpen ? say(['收起预览', 'Hide the preview']) : say(['手机预览', 'Phone preview'])}
          <Keys keys="V" />
        </Button>
      </div>
    </>
  )
}
