import { Button } from '@blueprintjs/core'
import { useLocation } from 'wouter'
import { settingsActions, type AreasNow, type SenderNow } from '#commands/order/settings.ts'
import { settings as page } from '#commands/pages/order.ts'
import { configScopes } from '#src/areas/order/configScope.ts'
import { rulesFor, shopScopes, type ShopScope } from '#src/areas/order/orderRules.ts'
import { divisions } from '#src/areas/place/divisions.ts'
import { areaWords } from '#src/areas/shipping/freight.ts'
import type { Result } from '#src/contract/call.ts'
import { aside, comma } from '#src/domain/text.ts'
import { usePaneState } from '#src/kit/memory.ts'
import { Badge } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import { useAction, usePane, useResult, useWorkbench } from '#src/kit/workbench.ts'
import type { ConfigRow } from '../contract/config.ts'
import { settings as calls } from '../contract/settings.ts'
import { RulesPage } from '../parts/RulesPage.tsx'
import { Templates } from '../parts/settingsTemplates.tsx'

/**
 * Where nothing of this kind goes, and who sends it: asked for by themselves, each change a version
 * of the rules.
 */
const Shipping = ({ row, active }: { row: ConfigRow; active: boolean }) => {
  const say = useSay()
  const { run, me, toast } = useWorkbench()
  const { id: pane } = usePane()
  const { no_delivery, senders } = row.fields
  const of = {
    id: row.id,
    name: say(configScopes[row.kind]),
    kind: row.kind as ShopScope,
    version_no: row.version_no,
  }
  const labelled = rulesFor(row.kind).includes('senders')
  const setAreas = () =>
    void run(settingsActions.setNoDelivery, [], {
      pane,
      on: { ...of, no_delivery } satisfies AreasNow,
    })
  const setSender = (at: number | null) =>
    void run(settingsActions.setSender, [], {
      pane,
      on: { ...of, at, sender: at === null ? undefined : senders[at] } satisfies SenderNow,
      asked: { known: at !== null },
    })
  return (
    <>
      {active && (
        <Performs
          areas={setAreas}
          sender={() => {
            if (labelled) setSender(null)
            else
              toast(
                say([
                  '寄件人只用于电商订单的面单',
                  'Senders stand on the labels of e-commerce orders only',
                ]),
                'none',
              )
          }}
        />
      )}
      <fieldset>
        <legend>{say(['配送范围', 'Where to'])}</legend>
        <div className="oc-lines">
          <div>
            <p>
              {no_delivery.length === 0
                ? say(['全国均可配送，以运费模板为准', 'Everywhere, as freight templates say'])
                : say(['不配送：{areas}', 'Nothing goes to {areas}'], {
                    areas: areaWords(no_delivery),
                  })}
            </p>
            {me.can(calls.setNoDelivery.permit) && (
              <Button size="small" onClick={setAreas}>
                {say(['修改', 'Change'])}
              </Button>
            )}
          </div>
          <p className="m-hint">
            {say([
              '优先于运费模板；下单时按收货地址拒绝',
              'Goes before every freight template; checkout refuses such addresses',
            ])}
          </p>
        </div>
      </fieldset>
      {labelled && (
        <fieldset>
          <legend>{say(['电子面单', 'Waybills'])}</legend>
          <div className="oc-lines">
            {senders.map((one, at) => (
              <div key={`${one.name}${one.phone}${at}`}>
                <p>
                  <b>{one.name}</b> {one.phone}{' '}
                  {one.is_default && <Badge tone="info">{say(['默认', 'Default'])}</Badge>}
                  <br />
                  <span className="m-muted">
                    {divisions.get(one.area)?.city_name} {one.address}
                    {one.courier && ` · ${one.courier}`}
                    {one.customer_no && ` ${one.customer_no}`}
                  </span>
                </p>
                {me.can(calls.setSender.permit) && (
                  <Button
                    size="small"
                    aria-label={say(['修改寄件人 {name}', 'Change {name}'], { name: one.name })}
                    onClick={() => setSender(at)}
                  >
                    {say(['修改', 'Change'])}
                  </Button>
                )}
              </div>
            ))}
            {me.can(calls.setSender.permit) && (
              <div>
                <p className="m-muted">
                  {senders.length === 0 && say(['还没有寄件人，打单时须手工填写', 'No sender yet'])}
                </p>
                <Button size="small" onClick={() => setSender(null)}>
                  {say(['新增寄件人', 'Add a sender'])}
                </Button>
              </div>
            )}
          </div>
        </fieldset>
      )}
    </>
  )
}
const Performs = ({ areas, sender }: { areas: () => void; sender: () => void }) => {
  const [, navigate] = useLocation()
  const [, edit] = usePaneState<'new' | number | undefined>('editing', undefined)
  useAction(settingsActions.addTemplate, () => {
    edit('new')
    navigate('?kind=templates', { replace: true })
  })
  useAction(settingsActions.setNoDelivery, areas)
  const { toast } = useWorkbench()
  const say = useSay()
  useResult(settingsActions.setNoDelivery, ({ still }: Result<typeof calls.setNoDelivery>) => {
    if (still.length > 0)
      toast(
        say(
          [
            '{n} 个运费模板仍给这些地区定了运费或包邮，已不生效：{names}',
            '{n} freight templates still have fees for these places, or send there for free; they no longer hold: {names}',
          ],
          {
            n: still.length,
            names: still
              .slice(0, 4)
              .map(
                one =>
                  `${one.name}${say(aside, { it: `${areaWords(one.areas)}${one.free.length > 0 ? say(['，含包邮', ', some free']) : ''}` })}`,
              )
              .join(say(comma)),
          },
        ),
        'warning',
      )
  })
  useAction(settingsActions.setSender, sender)
  return null
}

const { addTemplate, editTemplate, copyTemplate, delTemplate, calcFreight } = settingsActions
const templateActions = [addTemplate, editTemplate, calcFreight, copyTemplate, delTemplate]
/**
 * What holds of orders that are sent: promises, periods and penalties by kind, where nothing goes
 * and who sends, and what sending costs.
 */
export default function OrderSettings() {
  return (
    <RulesPage
      calls={calls}
      actions={settingsActions}
      page={page}
      kinds={shopScopes}
      extra={(row, active) => <Shipping row={row} active={active} />}
      more={{
        key: 'templates',
        title: ['运费模板', 'Freight templates'],
        actions: templateActions,
        body: <Templates />,
      }}
    />
  )
}
