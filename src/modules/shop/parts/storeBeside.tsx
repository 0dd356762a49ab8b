import { offerKinds } from '#src/areas/product/product.ts'
import type { Result } from '#src/contract/call.ts'
import { Badge, Fact, Facts, Section } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import type { storeEdit } from '../contract/storeEdit.ts'

type Impact = Result<typeof storeEdit.previewImpact>
/** What a move or another category touches. */
export const ImpactOf = ({ of }: { of: Impact | undefined }) => {
  const say = useSay()
  const unfit = of?.deals.filter(deal => !deal.fits).length ?? 0
  return (
    <div id="sp-impact">
      <Section title={say(['影响的商品与券码', 'Products and codes affected'])}>
        {of && (
          <div role="status">
            <Facts>
              <Fact label={say(['在售商品', 'On sale'])}>{of.on_sale}</Fact>
              <Fact label={say(['未核销券码', 'Unredeemed codes'])}>{of.codes}</Fact>
              <Fact label={say(['仅本店可核销', 'This store only'])}>{of.only_here}</Fact>
              <Fact label={say(['随店迁移', 'Move with it'])}>{of.goes_along}</Fact>
            </Facts>
            {unfit > 0 && (
              <p className="m-error">
                {say(
                  [
                    '{n} 件在售商品不能在新分类销售，须先下架或取消关联',
                    '{n} products on sale can’t be sold in the new category: take them off sale or unlink them first',
                  ],
                  { n: unfit },
                )}
              </p>
            )}
            <ul className="sp-list">
              {of.deals.slice(0, 10).map(deal => (
                <li key={deal.id}>
                  {!deal.fits && (
                    <>
                      <Badge tone="bad">{say(['分类不符', 'Wrong category'])}</Badge>{' '}
                    </>
                  )}
                  {deal.title}
                  <div className="m-muted">
                    {say(offerKinds[deal.kind])} ·{' '}
                    {say(['{n} 张券码', '{n} codes'], { n: deal.codes })}
                  </div>
                </li>
              ))}
            </ul>
          </div>
        )}
      </Section>
    </div>
  )
}
