import { defineConfig } from 'drizzle-kit'

export default defineConfig({
  dialect: 'postgresql',
  schema: './src/areas/*/*.table.ts',
  out: './src/server/db/migrations',
})
