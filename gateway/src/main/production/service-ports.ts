/** Ports of services other than merchants' web servers. A callback to such a port would attack the service. */

/** Above 1023, where a merchant may otherwise choose any callback port. */
const KNOWN_SERVICES: ReadonlySet<number> = new Set([
  1080, 1099, 1433, 1434, 1521, 1719, 1720, 1723, 1883, 2049, 2181, 2375, 2376, 2379, 2380, 3128, 3268, 3269, 3306,
  3389, 3659, 4045, 4190, 4369, 4444, 5060, 5061, 5222, 5432, 5433, 5601, 5671, 5672, 5900, 5984, 5985, 5986, 6000,
  6379, 6380, 6443, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 7000, 7001, 7199, 7474, 7687, 8020, 8086, 8125,
  8500, 9000, 9042, 9092, 9100, 9160, 9200, 9300, 9418, 9464, 10250, 10255, 11211, 15672, 26257, 27017, 27018, 50070,
]);

const HTTPS_PORT = 443;
const FIRST_UNRESERVED = 1024;

export function isServicePort(port: number): boolean {
  return port !== HTTPS_PORT && (port < FIRST_UNRESERVED || KNOWN_SERVICES.has(port));
}
