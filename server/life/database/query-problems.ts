import type { DatabaseConnection, Dialect, Driver } from 'kysely';
import { problemOfDatabaseError } from './database-problem.ts';

/** The same dialect, whose connections and queries fail with problems. @param directory of its file; null without one */
export function explainErrors(dialect: Dialect, directory: string | null): Dialect {
  const rethrow = (error: unknown): never => {
    throw problemOfDatabaseError(error, { directory });
  };
  return {
    createDriver: () => explainDriver(dialect.createDriver(), rethrow),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createAdapter: () => dialect.createAdapter(),
    createIntrospector: (queries) => dialect.createIntrospector(queries),
  };
}

/** Methods are replaced in place, as Kysely itself does for its log: its drivers hold private state behind symbols. */
function explainDriver(driver: Driver, rethrow: (error: unknown) => never): Driver {
  const explained = new WeakSet<DatabaseConnection>();
  const acquireConnection = driver.acquireConnection.bind(driver);
  driver.acquireConnection = async (options) => {
    const connection = await acquireConnection(options).catch(rethrow);
    if (!explained.has(connection)) {
      explained.add(connection);
      const executeQuery = connection.executeQuery.bind(connection);
      connection.executeQuery = <Row>(...args: Parameters<typeof executeQuery>) =>
        executeQuery<Row>(...args).catch(rethrow);
    }
    return connection;
  };
  // SQLite has rolled back itself when the disk was full, PostgreSQL when the session ended; why is what counts.
  const rollbackTransaction = driver.rollbackTransaction.bind(driver);
  driver.rollbackTransaction = (connection) => rollbackTransaction(connection).catch(() => {});
  return driver;
}
