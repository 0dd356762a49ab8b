import { createRoot } from 'react-dom/client'
import { answering } from './answers.ts'
import { Gallery } from './gallery.tsx'
import { looks, showLook } from './looks.ts'
import { specimens } from './specimen.ts'
import { Store } from './stand.tsx'
import '@blueprintjs/core/lib/css/blueprint.css'
import '#src/kit/tokens.css'
import '#src/kit/kit.css'
import './gallery.css'

globalThis.fetch = answering
showLook(looks[0])
createRoot(document.getElementById('root')!).render(
  <Store>
    <Gallery of={specimens} />
  </Store>,
)
