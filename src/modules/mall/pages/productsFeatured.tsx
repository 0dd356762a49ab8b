import { useCallback, useState } from 'react'
import { featuredActions } from '#commands/mall/mall.ts'
import { useSay } from '#src/kit/text.ts'
import { useAction, usePane, useWorkbench } from '#src/kit/workbench.ts'
import { featuredBoard, tuan, type OfferRow } from '../contract/recommend.ts'
import { OfferLine, OffersPhone, useOfferFlags } from '../parts/offers.tsx'
import type { Where } from '../parts/place.tsx'
import { RecommendBoard } from '../parts/RecommendBoard.tsx'

export default function FeaturedProducts() {
  const say = useSay()
  const flags = useOfferFlags()
  const { run } = useWorkbench()
  const { id } = usePane()
  const [where, setWhere] = useState<Where | undefined>(undefined)
  const onPlace = useCallback((next: Where) => setWhere(next), [])
  useAction(featuredActions.replace, () => {
    if (where)
      void run(featuredActions.replace, [], {
        pane: id,
        asked: { mid: where.mid, city_id: where.city_id },
      })
  })
  return (
    <RecommendBoard<OfferRow>
      block="featured"
      label={say(['精选商品', 'Featured products'])}
      list={tuan.listRecommends}
      more={{ block: 'featured' }}
      outside
      actions={Object.values(featuredActions)}
      sort={featuredActions.sort}
      sortCall={featuredBoard.sort}
      titled={{ action: featuredActions.setTitle, call: featuredBoard.setTitle }}
      nameOf={row => row.title}
      row={row => <OfferLine of={row} kind />}
      flags={flags}
      onPlace={onPlace}
      preview={{
        action: featuredActions.preview,
        draw: (rows, title) => <OffersPhone rows={rows} title={title} />,
      }}
    />
  )
}
