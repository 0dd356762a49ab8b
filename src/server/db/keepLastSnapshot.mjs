// `npm run migration` compares the tables with the last snapshot alone, a megabyte of JSON each:
// the ones before it go.
import { readdirSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const meta = fileURLToPath(new URL('migrations/meta/', import.meta.url))
const snapshots = readdirSync(meta).filter(file => file.endsWith('_snapshot.json'))
for (const older of snapshots.sort().slice(0, -1)) rmSync(meta + older)
