import { useLocation } from 'wouter'
import { skipToken, useRead } from '#src/kit/data.ts'
import { Empty, Failed, Loading } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { cards } from '../../contract/list.ts'
import { DraftCard, NewCard, SoldCard } from '../../parts/CardForm.tsx'

/** A new card, or the card of `edit/:id` in the state it stands in. */
export default function CardFormPage() {
  const say = useSay()
  const [path] = useLocation()
  const [how, given] = path.split('/').slice(-2)
  const id = how === 'edit' ? Number(given) : 0
  const read = useRead(cards.detail, id > 0 ? { id } : skipToken)
  if (how !== 'edit') return <NewCard />
  if (!(id > 0)) return <Empty title={say(['没有这张电子卡', 'E-card not found'])} />
  if (read.error && !read.data) return <Failed error={read.error} retry={read.refetch} />
  const now = read.currentData ?? read.data
  if (now?.id !== id) return <Loading lines={16} />
  return now.state === 'on' ? <SoldCard key={id} now={now} /> : <DraftCard key={id} now={now} />
}
