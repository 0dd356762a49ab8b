import { areaWords, freightModes } from '#src/areas/shipping/freight.ts'
import type { Result } from '#src/contract/call.ts'
import { yuan } from '#src/domain/money.ts'
import { colon } from '#src/domain/text.ts'
import { Inspector } from '#src/kit/inspector.tsx'
import { Badge, Fact, Facts, Section, When } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import type { settings as calls, TemplateRow } from '../contract/settings.ts'
import { unitOf } from './freightTyped.ts'

export type Tried = {
  id: number
  version: number
  area: string
  qty: number
  told: Result<typeof calls.calcFreight>
}

const Trial = ({ of, version }: { of: Tried; version: number }) => {
  const say = useSay()
  return (
    <Section
      title={say(['试算：{qty} 件送到{area}', 'Trial: {qty} to {area}'], {
        qty: of.qty,
        area: of.area,
      })}
    >
      <p className="oc-told" aria-live="polite">
        {of.told.ok ? (
          <>
            <b className="m-num">¥{yuan(of.told.cents!)}</b> {say(of.told.how)}
          </>
        ) : (
          <span className="m-bad">{say(of.told.how)}</span>
        )}
        {of.version !== version && (
          <Badge tone="warn">{say(['模板已改，请重新试算', 'The template changed since'])}</Badge>
        )}
      </p>
    </Section>
  )
}
const Fees = ({ of }: { of: TemplateRow }) => {
  const say = useSay()
  const unit = say(unitOf(of.mode))
  return (
    <Section title={say(['运费', 'Fees'])}>
      <table className="oc-effects">
        <thead>
          <tr>
            <th scope="col">{say(['地区', 'Places'])}</th>
            <th scope="col">{say(['首', 'First'])}</th>
            <th scope="col">{say(['续', 'Next'])}</th>
          </tr>
        </thead>
        <tbody>
          {of.regions.map((one, at) => (
            <tr key={at}>
              <th scope="row">{areaWords(one.areas)}</th>
              <td className="m-num">
                {one.first} {unit}
                <br />
                {yuan(one.first_cents)}
              </td>
              <td className="m-num">
                {one.next} {unit}
                <br />
                {yuan(one.next_cents)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  )
}
const Free = ({ of }: { of: TemplateRow }) => {
  const say = useSay()
  const unit = say(unitOf(of.mode))
  return (
    <Section title={say(['包邮', 'Free'])}>
      <ul className="oc-free">
        {of.free_rules.map((one, at) => (
          <li key={at}>
            {[
              one.over_cents !== undefined &&
                say(['满 {n} 元', '¥{n} and more'], { n: yuan(one.over_cents) }),
              one.over_units !== undefined &&
                say(['满 {n} {unit}', '{n} {unit} and more'], { n: one.over_units, unit }),
            ]
              .filter(Boolean)
              .join(say(['且', ' and ']))}
            {say(colon)}
            {areaWords(one.areas)}
          </li>
        ))}
      </ul>
    </Section>
  )
}
/** What a template says, and what the last trial of it told. */
export const FreightTemplate = ({ row, tried }: { row: TemplateRow; tried: Tried | undefined }) => {
  const say = useSay()
  return (
    <Inspector
      title={row.name}
      aside={
        <>
          <Badge>{say(freightModes[row.mode].title)}</Badge>
          {row.faults.length > 0 && <Badge tone="bad">{say(['需要修正', 'To be mended'])}</Badge>}
        </>
      }
    >
      {row.faults.length > 0 && (
        <ul className="oc-faults" role="alert">
          {row.faults.map(one => (
            <li key={one.at + one.text[0]}>{say(one.text)}</li>
          ))}
        </ul>
      )}
      {tried && <Trial of={tried} version={row.version} />}
      <Section title={say(['模板', 'Template'])}>
        <Facts>
          <Fact label={say(['归属', 'Owner'])}>
            {row.merchant_id === null ? say(['平台通用', 'The platform']) : row.merchant_name}
          </Fact>
          <Fact label={say(['使用中', 'In use'])}>
            {say(['{n} 个在售商品', '{n} products on sale'], { n: row.used })}
          </Fact>
          <Fact label={say(['最近修改', 'Changed'])}>
            <When at={row.updated_at} />
          </Fact>
          <Fact wide label={say(['不配送', 'Nothing goes to'])}>
            {row.no_delivery.length > 0 ? areaWords(row.no_delivery) : '—'}
          </Fact>
        </Facts>
      </Section>
      <Fees of={row} />
      {row.free_rules.length > 0 && <Free of={row} />}
    </Inspector>
  )
}
