//! An order of elimination with little fill: approximate minimum degree on a quotient graph [ADD 1996].

/// The order in which to eliminate the nodes of an undirected graph, given by `neighbours(node)`, and the products of two
/// entries that the elimination takes; `None` as soon as these are more than `most`.
pub(crate) fn minimum_degree<'a>(
    nodes: usize,
    neighbours: impl Fn(usize) -> &'a [u32],
    most: f64,
) -> Option<(Vec<u32>, f64)> {
    let mut graph = Quotient::new(nodes, neighbours);
    let mut order = Vec::with_capacity(nodes);
    let mut products = 0.0;
    while let Some(node) = graph.take_least() {
        let entries = graph.eliminate(node) as f64;
        order.push(node as u32);
        products += entries * (entries + 1.0);
        if products > most {
            return None;
        }
    }
    Some((order, products))
}

/// Nodes that remain, with the cliques ("elements") that eliminated nodes have left.
struct Quotient {
    /// Neighbours of a node that share no element with it.
    nodes: Vec<Vec<u32>>,
    /// Elements of a node.
    of_node: Vec<Vec<u32>>,
    /// Nodes of an element.
    elements: Vec<Vec<u32>>,
    degree: Vec<usize>,
    alive: Vec<bool>,
    /// Lists of nodes by degree, doubly linked.
    head: Vec<u32>,
    next: Vec<u32>,
    last: Vec<u32>,
    least: usize,
    /// Marks of the element at hand, and nodes of other elements that are not in it.
    mark: Vec<u32>,
    outside: Vec<i64>,
    stamp: u32,
}

const NONE: u32 = u32::MAX;

impl Quotient {
    fn new<'a>(n: usize, neighbours: impl Fn(usize) -> &'a [u32]) -> Self {
        let nodes: Vec<Vec<u32>> =
            (0..n).map(|i| neighbours(i).iter().copied().filter(|&j| j as usize != i).collect()).collect();
        let mut graph = Self {
            degree: nodes.iter().map(Vec::len).collect(),
            nodes,
            of_node: vec![Vec::new(); n],
            elements: vec![Vec::new(); n],
            alive: vec![true; n],
            head: vec![NONE; n.max(1)],
            next: vec![NONE; n],
            last: vec![NONE; n],
            least: 0,
            mark: vec![0; n],
            outside: vec![-1; n],
            stamp: 0,
        };
        (0..n).rev().for_each(|i| graph.link(i));
        graph
    }

    fn link(&mut self, i: usize) {
        let degree = self.degree[i].min(self.head.len() - 1);
        self.degree[i] = degree;
        let head = self.head[degree];
        (self.next[i], self.last[i]) = (head, NONE);
        if head != NONE {
            self.last[head as usize] = i as u32;
        }
        self.head[degree] = i as u32;
        self.least = self.least.min(degree);
    }

    fn unlink(&mut self, i: usize) {
        let (next, last) = (self.next[i], self.last[i]);
        if next != NONE {
            self.last[next as usize] = last;
        }
        if last != NONE {
            self.next[last as usize] = next;
        } else {
            self.head[self.degree[i]] = next;
        }
    }

    fn take_least(&mut self) -> Option<usize> {
        while self.least < self.head.len() && self.head[self.least] == NONE {
            self.least += 1;
        }
        let node = *self.head.get(self.least)?;
        self.unlink(node as usize);
        Some(node as usize)
    }

    /// Returns how many nodes the node was connected to.
    fn eliminate(&mut self, p: usize) -> usize {
        self.alive[p] = false;
        self.stamp += 1;
        // The new element: all that p is connected to, directly or through elements, which it absorbs.
        let mut members = std::mem::take(&mut self.nodes[p]);
        self.mark[p] = self.stamp;
        members.iter().for_each(|&j| self.mark[j as usize] = self.stamp);
        for e in std::mem::take(&mut self.of_node[p]) {
            for j in std::mem::take(&mut self.elements[e as usize]) {
                if self.alive[j as usize] && self.mark[j as usize] != self.stamp {
                    self.mark[j as usize] = self.stamp;
                    members.push(j);
                }
            }
        }
        // How much of each other element lies outside the new one.
        let mut touched = Vec::new();
        for &i in &members {
            for &e in &self.of_node[i as usize] {
                let e = e as usize;
                if self.elements[e].is_empty() {
                    continue;
                }
                if self.outside[e] < 0 {
                    self.outside[e] = self.elements[e].len() as i64;
                    touched.push(e);
                }
                self.outside[e] -= 1;
            }
        }
        for &i in &members {
            let i = i as usize;
            self.unlink(i);
            let (elements, outside, mark, stamp) = (&self.elements, &self.outside, &self.mark, self.stamp);
            // Elements that lie within the new one are absorbed too.
            self.of_node[i].retain(|&e| !elements[e as usize].is_empty() && outside[e as usize] > 0);
            self.nodes[i].retain(|&j| mark[j as usize] != stamp);
            let beside: usize = self.of_node[i].iter().map(|&e| outside[e as usize] as usize).sum();
            self.degree[i] = self.nodes[i].len() + members.len() - 1 + beside;
            self.of_node[i].push(p as u32);
            self.link(i);
        }
        for e in touched {
            if self.outside[e] == 0 {
                self.elements[e] = Vec::new();
            } else {
                // Nodes that are gone are not counted again.
                let alive = &self.alive;
                self.elements[e].retain(|&j| alive[j as usize]);
            }
            self.outside[e] = -1;
        }
        let connected = members.len();
        self.elements[p] = members;
        connected
    }
}
