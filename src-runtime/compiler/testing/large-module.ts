/** A large module with many rules: departments of one shape, each based on the one before. */

/** At least this many lines, without a finding. */
export function largeModule(linesMin: number): string {
  const parts = [HEAD];
  let lines = linesIn(HEAD);
  for (let index = 1; lines < linesMin; index++) {
    const part = department(index);
    parts.push(part);
    lines += linesIn(part);
  }
  return parts.join('');
}

function linesIn(text: string): number {
  return text.split('\n').length - 1;
}

const HEAD = `/// Who works where, on what, and what follows from that.
module company

enum Level { junior, senior, principal }

/// Whoever is employed.
pub concept Person {
  name: Text where length(value) > 0
  level: Level = junior
  salary: Decimal where value >= 0 and value < 1000000
  born: Date?
}

pub relation manages(manager: Person, report: Person)
pub derive above0(p: Person, q: Person) when manages(p, q)
pub derive above0(p: Person, q: Person) when above0(p, r), manages(r, q)
pub derive busy0(p: Person) when manages(p, _)

`;

function department(index: number): string {
  const before = index - 1;
  return `/// A piece of work of department ${index}.
pub concept Task${index} {
  title: Text
  cost: Decimal where value > 0
  level: Level = senior
  due: Date?
  done: Bool = false
  owner: Person? via owns${index}
}

pub relation owns${index}(task: Task${index}, owner: Person [0..1])
pub relation needs${index}(task: Task${index}, needed: Task${index})

/// Everything that a task waits for.
pub derive waits${index}(t: Task${index}, u: Task${index}) when needs${index}(t, u)
pub derive waits${index}(t: Task${index}, u: Task${index})
  when waits${index}(t, v), needs${index}(v, u)

pub derive open${index}(t: Task${index}) when Task${index}(t), not t.done
pub derive ready${index}(t: Task${index}) when open${index}(t), not blocked${index}(t)
derive blocked${index}(t: Task${index}) when waits${index}(t, u), open${index}(u)

pub derive busy${index}(p: Person) when owns${index}(t, p), open${index}(t)
pub derive busy${index}(p: Person) when busy${before}(p), p.level == principal

pub derive above${index}(p: Person, q: Person) when above${before}(p, q), busy${index}(q)
pub derive above${index}(p: Person, q: Person)
  when above${index}(p, r), manages(r, q), p.salary > q.salary

pub derive load${index}(p: Person, total: Decimal)
  when busy${index}(p), let total = sum(t.cost for t where owns${index}(t, p), open${index}(t))

pub define Overloaded${index}(p: Person) when load${index}(p, total), total > limit${index}(p.level)

fn limit${index}(level: Level) -> Decimal =
  match level { junior => 100, senior => 250.50, principal => 1000 + ${index} }

pub check circle${index}(t: Task${index})
  when waits${index}(t, t)
  severity blocking
  message "{t.title} waits for itself"

pub check overloaded${index}(p: Person)
  when Overloaded${index}(p), let n = count(for t where owns${index}(t, p)), n > 3
  severity warning
  message "{p.name} has {n} tasks in department ${index}"

pub query tasks${index}(atLeast: Decimal = 0, most: Int = 10) -> [{ title: Text, cost: Decimal, owner: Text? }] {
  select { title: t.title, cost: round(t.cost * 1.2, 2), owner: t.owner.name }
  where open${index}(t), t.cost >= atLeast, t.due == none or t.due < date "2030-01-01"
  order by t.cost desc, t.title
  limit most
}

pub query loadOf${index}() -> Decimal { value sum(c for p, c where load${index}(p, c)) }

pub mutation plan${index}(title: Text where length(trim(value)) > 0, cost: Decimal, owner: Person) -> Task${index} {
  require owner.salary > 0 message "{owner.name} is not paid"
  let t = insert Task${index} { title: trim(title), cost: cost }
  insert owns${index}(t, owner)
  return t
}

pub mutation finish${index}(owner: Person) {
  for t in (select x where owns${index}(x, owner), ready${index}(x) order by x.title) {
    if t.due != none, t.level != junior { set t.due = none } else { set t.level = senior }
    set t.done = true
  }
  delete owns${index}(_, owner)
}

test "planned work of department ${index} is open" {
  let p = insert Person { name: "Ada", salary: 10 }
  let t = plan${index}("Paint", 12.50, p)
  expect ready${index}(t), busy${index}(p)
}

`;
}
