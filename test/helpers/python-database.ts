import { DatabaseSync } from 'node:sqlite';

/** The tables of the Python tool, as its version 0.7.0 creates them. */
const PYTHON_SCHEMA = `
create table memory_items (
  id text primary key, type text not null check (type in ('project', 'feature', 'run')), task_id text, step_id text, key text not null,
  content text not null, content_search text not null default '', tags_json text not null default '[]', context_tags_json text default '[]',
  emotional_valence real default 0, urgency_level integer default 0, related_json text default '[]', session_id text, source text,
  weight real not null default 1.0, version integer not null default 1, created_at text not null, updated_at text not null,
  access_count integer default 0, last_accessed_at text, consolidation_score real default 0.0
);
alter table memory_items add column confidence_level text default 'medium';
alter table memory_items add column verified_by text;
create index idx_memory_type_key on memory_items (type, key);
create index idx_memory_updated on memory_items (updated_at);
create virtual table memory_fts using fts5 (id, content_search, tokenize = 'unicode61');
create trigger memory_ai after insert on memory_items begin insert into memory_fts (id, content_search) values (new.id, new.content_search); end;
create trigger memory_ad after delete on memory_items begin delete from memory_fts where id = old.id; end;
create trigger memory_au after update of content, content_search on memory_items begin
  delete from memory_fts where id = old.id; insert into memory_fts (id, content_search) values (new.id, new.content_search); end;
create table memory_history (
  id integer primary key autoincrement, item_id text not null, version integer not null, content text not null, tags_json text,
  weight real, confidence_level text, changed_at text not null, change_type text check (change_type in ('update', 'delete'))
);
insert into memory_items (id, type, key, content, content_search, tags_json, version, created_at, updated_at, access_count, confidence_level, verified_by)
values
  ('0123456789abcdef0123456789abcdef', 'project', 'glossary', '灰度发布 第三版', '灰度发布 第三版' || char(10) || '灰度 发布', '["zh"]', 3, '2026-01-01T00:00:00+00:00', '2026-01-03T08:00:00+08:00', 7, 'high', 'ops'),
  ('b', 'run', 'stacktrace', 'TypeError in getUserById', '', '[]', 1, '2026-01-01T00:00:00+00:00', 'not a time', 0, null, null),
  ('c', 'feature', 'empty', '', '', 'broken', 1, '2026-01-01T00:00:00+00:00', '2026-01-01T00:00:00+00:00', 0, 'medium', null),
  ('d', 'feature', 'empty', 'a second one with the same key', '', '[]', 1, '2026-01-02T00:00:00+00:00', '2026-01-02T00:00:00+00:00', 0, 'low', null);
insert into memory_history (item_id, version, content, tags_json, weight, confidence_level, changed_at, change_type) values
  ('0123456789abcdef0123456789abcdef', 1, '灰度发布 第一版', '[]', 1.0, 'low', '2026-01-02T00:00:00+00:00', 'update'),
  ('0123456789abcdef0123456789abcdef', 2, '灰度发布 第二版', '["zh"]', 1.0, 'medium', '2026-01-03T00:00:00+00:00', 'update'),
  ('gone', 4, 'an item that was deleted', '[]', 1.0, 'medium', '2026-01-05T00:00:00+00:00', 'update');
`;

/** Creates a database of the Python tool, with every kind of row that the tool leaves. */
export function makePythonDatabase(file: string): void {
  const db = new DatabaseSync(file);
  db.exec('pragma journal_mode = wal');
  db.exec(PYTHON_SCHEMA);
  db.close();
}
